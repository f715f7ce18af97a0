// Pentago: place and turn, five in a row, five by a turn, a threat.

import type { Lesson } from '.';

export const lesson: Lesson = {
  steps: [
    {
      variant: 'standard', position: null, goal: { kind: 'matches', moves: /-/ }, solution: 'c3-2r', look: [],
      text: {
        en: {
          task: 'You are White. A turn has two parts: put a marble into any hole, then turn one of the four blocks by its arrows. Try it.',
          done: 'The block turned a quarter and took its marbles along. You may turn any block, even an empty one.',
        },
        sv: {
          task: 'Du är vit. Ett drag har två delar: lägg en kula i valfritt hål och vrid sedan ett av de fyra blocken med pilarna. Prova!',
          done: 'Blocket vreds ett kvarts varv och tog kulorna med sig. Du får vrida vilket block som helst, även ett tomt.',
        },
        fi: {
          task: 'Pelaat valkoisilla. Siirrossa on kaksi osaa: aseta kuula mihin tahansa koloon ja käännä sitten yhtä neljästä lohkosta nuolen kohdalta. Kokeile!',
          done: 'Lohko kääntyi neljänneskierroksen ja vei kuulat mukanaan. Kääntää saa mitä tahansa lohkoa, tyhjääkin.',
        },
        de: {
          task: 'Du spielst Weiß. Ein Zug hat zwei Teile: Leg eine Kugel in ein beliebiges Loch und dreh dann einen der vier Blöcke an seinen Pfeilen. Probier es aus!',
          done: 'Der Block hat sich um ein Viertel gedreht und seine Kugeln mitgenommen. Du darfst jeden Block drehen, auch einen leeren.',
        },
        fr: {
          task: 'Vous jouez les blancs. Un coup se joue en deux temps : posez une bille dans un trou, puis tournez l’un des quatre quadrants avec ses flèches. Essayez !',
          done: 'Le quadrant a fait un quart de tour avec ses billes. Vous pouvez tourner n’importe lequel, même vide.',
        },
      },
    },
    {
      variant: 'standard', position: 'wwww2/6/1b1b2/6/1b2b1/6 w', goal: { kind: 'wins' }, solution: 'e1', look: ['a1', 'b1', 'c1', 'd1'],
      text: {
        en: { task: 'Five in a row wins: along a row, a column or a slanted line. White has four. Put the fifth beside them.', done: 'Five in a row. When placing is enough, you win at once and turn nothing.' },
        sv: { task: 'Fem i rad vinner: vågrätt, lodrätt eller på snedden. Vit har fyra. Lägg den femte bredvid.', done: 'Fem i rad! När kulan räcker vinner du direkt och behöver inte vrida något.' },
        fi: { task: 'Viiden suora voittaa: vaakaan, pystyyn tai vinoon. Valkoisella on neljä. Aseta viides niiden viereen.', done: 'Viiden suora! Kun kuula riittää, voitat heti etkä käännä mitään.' },
        de: { task: 'Fünf in einer Reihe gewinnen: waagrecht, senkrecht oder schräg. Weiß hat vier. Leg die fünfte Kugel daneben.', done: 'Eine Fünferreihe! Wenn schon die Kugel genügt, gewinnst du sofort und drehst nichts mehr.' },
        fr: { task: 'Il faut aligner cinq billes : en ligne, en colonne ou en diagonale. Les blancs en ont quatre. Posez la cinquième à côté.', done: 'Cinq billes alignées ! Quand la bille suffit, vous gagnez aussitôt, sans tourner.' },
      },
    },
    {
      variant: 'standard', position: 'www3/3w2/3w2/1b3b/b3b1/2b3 w', goal: { kind: 'wins' }, solution: 'f6-2r', look: ['d2', 'd3'],
      text: {
        en: { task: 'A turn can win, too. Put a marble anywhere, then turn the upper right block clockwise: the two marked marbles join the three.', done: 'The turn brought them into one row. Always look at what a turn would do, for you and for the other side.' },
        sv: { task: 'Även en vridning kan vinna. Lägg en kula var som helst och vrid övre högra blocket medurs: de två markerade kulorna hamnar intill de tre.', done: 'Vridningen förde dem till samma rad. Tänk alltid på vad en vridning kan göra, både för dig och för motståndaren.' },
        fi: { task: 'Myös kääntö voi voittaa. Aseta kuula minne tahansa ja käännä oikeaa ylälohkoa myötäpäivään: merkityt kaksi kuulaa liittyvät kolmeen.', done: 'Kääntö toi ne samaan riviin. Katso aina, mitä kääntö saisi aikaan sinulle ja vastustajalle.' },
        de: { task: 'Auch eine Drehung kann gewinnen. Leg eine Kugel irgendwohin und dreh den Block oben rechts im Uhrzeigersinn: Die beiden markierten Kugeln kommen neben die drei.', done: 'Die Drehung hat sie in eine Reihe gebracht. Schau immer, was eine Drehung bewirken kann, bei dir und beim Gegner.' },
        fr: { task: 'Une rotation peut aussi gagner. Posez une bille n’importe où, puis tournez le quadrant en haut à droite dans le sens horaire : les deux billes marquées rejoignent les trois autres.', done: 'La rotation les a mises sur la même ligne. Regardez toujours ce qu’une rotation peut donner, à vous comme à l’adversaire.' },
      },
    },
    {
      variant: 'standard', position: 'w4w/6/2w3/bbbb2/6/4w1 w', goal: { kind: 'safe' }, solution: 'e4-1l', look: ['a4', 'b4', 'c4', 'd4'],
      text: {
        en: { task: 'Now Black has four in a row and wins next turn. Get in the way, and turn a block so that Black does not win all the same.', done: 'Stopped. See the threat first, and then play your own game.' },
        sv: { task: 'Nu har svart fyra i rad och vinner i nästa drag. Ställ dig i vägen, och vrid så att svart inte vinner ändå.', done: 'Stoppat! Se hotet först och spela sedan ditt eget spel.' },
        fi: { task: 'Nyt mustalla on neljä peräkkäin, ja se voittaa seuraavalla siirrolla. Asetu tielle ja käännä niin, ettei musta silti voita.', done: 'Torjuttu! Huomaa uhka ensin ja pelaa sitten omaa peliäsi.' },
        de: { task: 'Jetzt hat Schwarz vier in einer Reihe und gewinnt im nächsten Zug. Stell dich in den Weg, und dreh so, dass Schwarz nicht trotzdem gewinnt.', done: 'Abgewehrt! Erst die Drohung sehen, dann das eigene Spiel machen.' },
        fr: { task: 'Cette fois, les noirs en ont quatre et gagnent au prochain coup. Barrez-leur la route, et tournez sans leur rendre la victoire.', done: 'C’est paré. Voyez d’abord la menace, puis jouez votre jeu.' },
      },
    },
  ],
};
