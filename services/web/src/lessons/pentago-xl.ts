// Pentago XL: nine blocks, the fixed one in the middle, five by a turn.

import type { Lesson } from '.';

export const lesson: Lesson = {
  steps: [
    {
      variant: 'ffa4', position: null, goal: { kind: 'matches', moves: /-/ }, solution: 'e5-9l', look: ['d4', 'f4', 'd6', 'f6', 'e5'],
      text: {
        en: { task: 'Up to four players share this board. You are Red: put a marble into any hole, then turn one of the outer blocks. The block in the middle never turns.', done: 'Marbles in the middle stay where they are, so lines through it are easier to keep.' },
        sv: { task: 'Upp till fyra spelare delar brädet. Du är röd: lägg en kula i valfritt hål och vrid sedan ett av de yttre blocken. Blocket i mitten vrids aldrig.', done: 'Kulorna i mitten ligger kvar, så rader genom mitten är lättare att behålla.' },
        fi: { task: 'Laudalla pelaa enintään neljä. Pelaat punaisilla: aseta kuula mihin tahansa koloon ja käännä sitten jotakin ulommista lohkoista. Keskilohko ei käänny koskaan.', done: 'Keskellä olevat kuulat pysyvät paikallaan, joten niiden kautta kulkevat suorat säilyvät helpommin.' },
        de: { task: 'Bis zu vier Spieler teilen sich das Brett. Du spielst Rot: Leg eine Kugel in ein beliebiges Loch und dreh dann einen der äußeren Blöcke. Der Block in der Mitte dreht sich nie.', done: 'Kugeln in der Mitte bleiben, wo sie sind; Reihen durch die Mitte lassen sich leichter halten.' },
        fr: { task: 'Jusqu’à quatre joueurs se partagent le plateau. Vous êtes Rouge : posez une bille dans un trou, puis tournez l’un des quadrants extérieurs. Celui du milieu ne tourne jamais.', done: 'Les billes du milieu restent en place : un alignement qui y passe se conserve plus facilement.' },
      },
    },
    {
      variant: 'ffa4', position: '9/2rrrr3/9/y3y3y/9/1g2g2g1/9/b2b2b2/4y2gb r -', goal: { kind: 'wins' }, solution: 'b2', look: ['c2', 'd2', 'e2', 'f2'],
      text: {
        en: { task: 'Five marbles of your own colour in a row win. Red has four: add the fifth.', done: 'Won, before the others get their next turn.' },
        sv: { task: 'Fem kulor i din egen färg i rad vinner. Röd har fyra: lägg till den femte.', done: 'Vunnet, innan de andra hinner göra sitt nästa drag.' },
        fi: { task: 'Viisi omaa kuulaa suorassa voittaa. Punaisella on neljä: lisää viides.', done: 'Voitto, ennen kuin muut ehtivät siirtää.' },
        de: { task: 'Fünf Kugeln der eigenen Farbe in einer Reihe gewinnen. Rot hat vier: Leg die fünfte dazu.', done: 'Gewonnen, bevor die anderen wieder am Zug sind.' },
        fr: { task: 'Il faut aligner cinq billes de sa couleur. Rouge en a quatre : ajoutez la cinquième.', done: 'Gagné, avant que les autres ne rejouent.' },
      },
    },
    {
      variant: 'ffa4', position: 'y2g3b1/9/2b4y1/1r7/1ryrrr3/8g/g3b4/2y3b2/y3g1b1g r -', goal: { kind: 'wins' }, solution: 'i1-4r', look: ['b4', 'b5'],
      text: {
        en: { task: 'Yellow stands between your marbles. Put one anywhere, then turn the block on the left clockwise: Yellow swings away, and your marbles close the gap.', done: 'With up to three opponents, every turn moves other people’s marbles as well. Watch whom it helps.' },
        sv: { task: 'Gul står mellan dina kulor. Lägg en var som helst och vrid sedan blocket till vänster medurs: gul svänger undan och dina kulor sluter luckan.', done: 'Med upp till tre motståndare flyttar varje vridning även andras kulor. Se efter vem den hjälper.' },
        fi: { task: 'Keltainen on kuuliesi välissä. Aseta kuula minne tahansa ja käännä vasenta keskilohkoa myötäpäivään: keltainen väistyy ja kuulasi täyttävät aukon.', done: 'Kun vastustajia on jopa kolme, jokainen kääntö siirtää muidenkin kuulia. Katso, ketä se auttaa.' },
        de: { task: 'Gelb steht zwischen deinen Kugeln. Leg eine irgendwohin und dreh dann den Block links in der Mitte im Uhrzeigersinn: Gelb schwenkt weg, und deine Kugeln schließen die Lücke.', done: 'Bei bis zu drei Gegnern bewegt jede Drehung auch fremde Kugeln. Achte darauf, wem sie nützt.' },
        fr: { task: 'Jaune est entre vos billes. Posez-en une n’importe où, puis tournez le quadrant de gauche, au milieu, dans le sens horaire : Jaune s’écarte et vos billes comblent le vide.', done: 'Avec trois adversaires, chaque rotation déplace aussi les billes des autres. Voyez à qui elle profite.' },
      },
    },
  ],
};
