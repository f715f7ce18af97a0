// Pentaflip: rings beside one's own, flips, rings underneath, five by a flip.

import type { Lesson } from '.';

export const lesson: Lesson = {
  steps: [
    {
      variant: 'standard', position: null, goal: { kind: 'matches', moves: /^[a-f]/ }, solution: 'c2', look: ['c3', 'd4'],
      text: {
        en: { task: 'You are White, and the two white spots are yours. A ring goes beside one of your spots or rings, not diagonally. Put one into a marked hole.', done: 'From that ring you can go on next time. Five of your rings and spots in a row win.' },
        sv: { task: 'Du är vit, och de två vita prickarna är dina. En ring läggs intill en egen prick eller ring, inte diagonalt. Lägg en i ett markerat hål.', done: 'Från den ringen kan du fortsätta nästa gång. Fem egna ringar och prickar i rad vinner.' },
        fi: { task: 'Pelaat valkoisilla, ja kaksi valkoista täplää ovat sinun. Rengas asetetaan oman täplän tai renkaan viereen, ei vinottain. Aseta rengas merkittyyn koloon.', done: 'Siitä voit jatkaa seuraavalla kerralla. Viisi omaa rengasta tai täplää suorassa voittaa.' },
        de: { task: 'Du spielst Weiß, und die beiden weißen Punkte gehören dir. Ein Ring kommt neben einen eigenen Punkt oder Ring, nicht schräg. Leg einen in ein markiertes Loch.', done: 'Von diesem Ring aus kannst du weiterbauen. Fünf eigene Ringe und Punkte in einer Reihe gewinnen.' },
        fr: { task: 'Vous jouez les blancs, et les deux pastilles blanches sont à vous. Un anneau se pose à côté d’une de vos pastilles ou d’un de vos anneaux, pas en diagonale. Posez-en un dans un trou marqué.', done: 'Vous pourrez continuer à partir de cet anneau. Il faut aligner cinq de vos anneaux et pastilles.' },
      },
    },
    {
      variant: 'standard', position: '6/2wb2/2WB2/2BW2/6/6 6/6/6/6/6/6 w -', goal: { kind: 'matches', moves: /^~/ }, solution: '~T', look: [],
      text: {
        en: { task: 'Instead of placing a ring you may flip a panel, or half of the board, by its handle. What is on top goes underneath, and the other way round. Flip something.', done: 'The rings are mirrored and underneath now. The other side may not flip the same part back at once.' },
        sv: { task: 'I stället för att lägga en ring får du vända en panel eller halva brädet med handtaget. Det som ligger ovanpå hamnar underst, och tvärtom. Vänd något!', done: 'Ringarna är nu spegelvända och ligger underst. Motståndaren får inte genast vända tillbaka samma del.' },
        fi: { task: 'Renkaan asettamisen sijasta voit kääntää paneelin tai puolet laudasta kahvasta. Päällä oleva menee alle ja päinvastoin. Käännä jotakin!', done: 'Renkaat ovat nyt peilikuvina alla. Vastustaja ei saa heti kääntää samaa osaa takaisin.' },
        de: { task: 'Statt einen Ring zu legen, darfst du eine Platte oder das halbe Brett am Griff umdrehen. Was oben liegt, kommt nach unten, und umgekehrt. Dreh etwas um!', done: 'Die Ringe liegen jetzt gespiegelt unten. Der Gegner darf denselben Teil nicht sofort zurückdrehen.' },
        fr: { task: 'Au lieu de poser un anneau, vous pouvez retourner un panneau ou une moitié du plateau par sa poignée. Le dessus passe dessous, et inversement. Retournez quelque chose !', done: 'Les anneaux sont maintenant dessous, en miroir. L’adversaire ne peut pas retourner aussitôt la même partie.' },
      },
    },
    {
      variant: 'standard', position: '6/2w1b1/2WB2/2BW2/3b2/6 6/6/6/6/1w4/6 w -', goal: { kind: 'matches', moves: /^b5$/ }, solution: 'b5', look: ['b5'],
      text: {
        en: { task: 'One more place is allowed: on top of a hole that has your ring underneath, however far away. There is one at b5. Put a ring on it.', done: 'A hole with your rings on both sides stays yours, whichever side is up.' },
        sv: { task: 'En plats till är tillåten: ovanpå ett hål som har din ring på undersidan, hur långt bort det än ligger. Det finns ett på b5. Lägg en ring där.', done: 'Ett hål med dina ringar på båda sidor förblir ditt, vilken sida som än är uppåt.' },
        fi: { task: 'Vielä yksi paikka on sallittu: kolo, jonka alla on oma renkaasi, olipa se kuinka kaukana tahansa. Sellainen on b5. Aseta rengas siihen.', done: 'Kolo, jossa renkaasi ovat molemmilla puolilla, pysyy sinun, oli kumpi puoli tahansa ylöspäin.' },
        de: { task: 'Noch ein Platz ist erlaubt: über einem Loch, unter dem dein Ring liegt, wie weit weg es auch ist. Auf b5 gibt es eines. Leg einen Ring darauf.', done: 'Ein Loch mit deinen Ringen auf beiden Seiten bleibt deins, welche Seite auch oben liegt.' },
        fr: { task: 'Une autre place est permise : sur un trou dont le dessous porte un de vos anneaux, si loin soit-il. Il y en a un en b5. Posez-y un anneau.', done: 'Un trou qui porte vos anneaux des deux côtés reste à vous, quel que soit le côté visible.' },
      },
    },
    {
      variant: 'standard', position: '3b2/6/2WB1b/w1BW2/w5/3b2 5w/5w/5w/6/3b2/1b4 w -', goal: { kind: 'wins' }, solution: '~T', look: ['a4', 'a5'],
      text: {
        en: { task: 'White has two rings in the first column, and three more underneath on the other side of the upper half. Flip the half that brings them together.', done: 'The upper half came over with three white rings: five in a row on top.' },
        sv: { task: 'Vit har två ringar i första kolumnen och tre till på undersidan, längst ut på andra sidan av övre halvan. Vänd den halva som för dem samman.', done: 'Övre halvan vändes upp med tre vita ringar: fem i rad ovanpå.' },
        fi: { task: 'Valkoisella on kaksi rengasta ensimmäisessä sarakkeessa ja kolme alla, yläpuoliskon toisessa reunassa. Käännä se puolisko, joka tuo ne yhteen.', done: 'Yläpuoliskon mukana nousi kolme valkoista rengasta: viiden suora päällä.' },
        de: { task: 'Weiß hat zwei Ringe in der ersten Spalte und drei weitere unten, am anderen Rand der oberen Hälfte. Dreh die Hälfte um, die sie zusammenbringt.', done: 'Mit der oberen Hälfte kamen drei weiße Ringe herauf: eine Fünferreihe oben.' },
        fr: { task: 'Les blancs ont deux anneaux dans la première colonne, et trois autres dessous, à l’autre bord de la moitié du haut. Retournez la moitié qui les réunit.', done: 'La moitié du haut a amené trois anneaux blancs : cinq alignés sur le dessus.' },
      },
    },
  ],
};
