// Pentagame: moving, beating a black block, swapping, reaching the goal, winning.

import type { Lesson } from '.';

export const lesson: Lesson = {
  steps: [
    {
      variant: '2p', position: null, goal: { kind: 'matches', moves: /^[a-e]-[A-Ea-e0-9]+$/ }, solution: 'a-A3c', look: [],
      text: {
        en: { task: 'You are player 1. Choose one of your figures (with a 1), then a free stop: it goes along the lines as far as you like, but never over anything.', done: 'Figures turn freely at corners and crossings. Each wants to reach the crossing of its own colour, on the far side.' },
        sv: { task: 'Du är spelare 1. Välj en av dina pjäser (med en etta) och sedan en ledig plats: den går längs linjerna hur långt du vill, men aldrig över något.', done: 'Pjäserna svänger fritt i hörn och korsningar. Var och en ska till korsningen i sin egen färg, på andra sidan.' },
        fi: { task: 'Olet pelaaja 1. Valitse jokin nappuloistasi (joissa on ykkönen) ja sitten vapaa paikka: nappula kulkee viivoja pitkin niin pitkälle kuin haluat, mutta ei minkään yli.', done: 'Nappulat kääntyvät vapaasti kulmissa ja risteyksissä. Jokainen pyrkii omanväriseensä risteykseen vastakkaisella puolella.' },
        de: { task: 'Du bist Spieler 1. Wähl eine deiner Figuren (mit einer 1) und dann einen freien Platz: Sie geht auf den Linien, so weit du willst, aber über nichts hinweg.', done: 'An Ecken und Kreuzungen biegen Figuren frei ab. Jede will zur Kreuzung ihrer Farbe auf der anderen Seite.' },
        fr: { task: 'Vous êtes le joueur 1. Choisissez une de vos figurines (marquées 1), puis un arrêt libre : elle suit les lignes aussi loin que vous voulez, sans rien franchir.', done: 'Les figurines tournent librement aux coins et aux croisements. Chacune vise le croisement de sa couleur, en face.' },
      },
    },
    {
      variant: '2p', position: null, goal: { kind: 'matches', moves: /@/ }, solution: 'a-c@A1E', look: ['a', 'b', 'c', 'd', 'e'],
      text: {
        en: { task: 'Black blocks bar the crossings. Move a figure onto one: it is beaten, and you put it on any free stop, best where it is in the other player’s way.', done: 'The way is clear for you, and a little longer for the other player.' },
        sv: { task: 'Svarta block spärrar korsningarna. Gå till ett av dem: det slås, och du ställer det på en ledig plats, helst i vägen för motståndaren.', done: 'Vägen är fri för dig, och lite längre för motståndaren.' },
        fi: { task: 'Mustat esteet sulkevat risteykset. Siirrä nappula sellaisen päälle: este on lyöty, ja saat panna sen mihin tahansa vapaaseen paikkaan, mieluiten vastustajan tielle.', done: 'Sinun tiesi on vapaa, ja vastustajan tie on vähän pidempi.' },
        de: { task: 'Schwarze Steine versperren die Kreuzungen. Zieh mit einer Figur auf einen: Er ist geschlagen, und du setzt ihn auf einen freien Platz, am besten dem Gegner in den Weg.', done: 'Dein Weg ist frei, und der des Gegners etwas länger.' },
        fr: { task: 'Des blocs noirs barrent les croisements. Allez sur l’un d’eux : il est pris, et vous le posez sur un arrêt libre, de préférence sur la route de l’adversaire.', done: 'La voie est libre pour vous, et un peu plus longue pour l’adversaire.' },
      },
    },
    {
      variant: '2p', position: null, goal: { kind: 'matches', moves: /=/ }, solution: 'a-B=2b', look: [],
      text: {
        en: { task: 'A figure at the end of your way changes places with yours. Move to the next corner and choose the figure there to swap with.', done: 'Swapped. The same two may not swap again in the very next turn.' },
        sv: { task: 'En pjäs i slutet av din väg byter plats med din. Gå till nästa hörn och välj vilken pjäs du byter med.', done: 'Bytt. Samma två får inte byta igen i draget direkt efter.' },
        fi: { task: 'Matkasi päässä oleva nappula vaihtaa paikkaa omasi kanssa. Siirry seuraavaan kulmaan ja valitse, minkä nappulan kanssa vaihdat.', done: 'Vaihdettu. Samat kaksi eivät saa vaihtaa uudelleen heti seuraavalla siirrolla.' },
        de: { task: 'Eine Figur am Ende deines Weges tauscht mit deiner den Platz. Zieh zur nächsten Ecke und wähl die Figur, mit der du tauschst.', done: 'Getauscht. Dieselben zwei dürfen nicht gleich im nächsten Zug wieder tauschen.' },
        fr: { task: 'Une figurine au bout de votre chemin échange sa place avec la vôtre. Allez au coin suivant et choisissez celle avec qui échanger.', done: 'C’est échangé. Les deux mêmes ne peuvent pas échanger de nouveau au coup suivant.' },
      },
    },
    {
      variant: '2p', position: 'C5a,B,C,D,E/A,B,C,D,E b,c,d,e,A2B - 1 -', goal: { kind: 'matches', moves: /^a-a\+/ }, solution: 'a-a+B2C', look: ['C5a', 'a'],
      text: {
        en: { task: 'Your white figure is almost at its goal, the white crossing. Move it there. It leaves the board, and you put a grey block in somebody’s way.', done: 'One figure is out. Grey blocks leave the board when somebody moves onto them.' },
        sv: { task: 'Din vita pjäs är nästan i mål, den vita korsningen. Gå dit. Pjäsen lämnar brädet, och du ställer ett grått block i vägen för någon.', done: 'En pjäs är ute. Grå block lämnar brädet när någon går dit.' },
        fi: { task: 'Valkoinen nappulasi on melkein maalissa, valkoisessa risteyksessä. Siirrä se sinne. Nappula poistuu laudalta, ja saat panna harmaan esteen jonkun tielle.', done: 'Yksi nappula on ulkona. Harmaa este poistuu laudalta, kun joku siirtyy sen paikalle.' },
        de: { task: 'Deine weiße Figur ist fast am Ziel, der weißen Kreuzung. Zieh sie dorthin. Sie verlässt das Brett, und du setzt einen grauen Stein jemandem in den Weg.', done: 'Eine Figur ist draußen. Graue Steine verlassen das Brett, wenn jemand auf sie zieht.' },
        fr: { task: 'Votre figurine blanche est presque au but, le croisement blanc. Amenez-l’y : elle quitte le plateau, et vous posez un bloc gris sur la route de quelqu’un.', done: 'Une figurine est sortie. Un bloc gris quitte le plateau quand une figurine arrive dessus.' },
      },
    },
    {
      variant: '2p', position: '*,B,C,D,E/*,*,E5c,D,E a,b,d,e,B2C A2B,C1D,D2E 2 -', goal: { kind: 'wins' }, solution: 'c-c+A', look: ['E5c', 'c'],
      text: {
        en: { task: 'Three figures out win. You are player 2 this time, and two of yours are out. Bring the third, the red one, to its crossing.', done: 'Three out: you have won. The round is always played to its end, so that everybody has had the same number of turns.' },
        sv: { task: 'Tre pjäser ute vinner. Nu är du spelare 2, och två av dina är ute. För den tredje, den röda, till sin korsning.', done: 'Tre ute: du har vunnit. Omgången spelas alltid färdigt, så att alla har haft lika många drag.' },
        fi: { task: 'Kolme nappulaa ulkona voittaa. Olet nyt pelaaja 2, ja kaksi nappulaasi on ulkona. Vie kolmas, punainen, omaan risteykseensä.', done: 'Kolme ulkona: voitit. Kierros pelataan aina loppuun, jotta kaikilla on yhtä monta siirtoa.' },
        de: { task: 'Drei Figuren draußen gewinnen. Diesmal bist du Spieler 2, und zwei deiner Figuren sind draußen. Bring die dritte, die rote, zu ihrer Kreuzung.', done: 'Drei draußen: gewonnen. Die Runde wird immer zu Ende gespielt, damit alle gleich oft am Zug waren.' },
        fr: { task: 'Trois figurines sorties gagnent. Vous êtes cette fois le joueur 2, et deux des vôtres sont sorties. Menez la troisième, la rouge, à son croisement.', done: 'Trois sorties : vous avez gagné. Le tour de table est toujours joué jusqu’au bout, pour que chacun ait joué autant de coups.' },
      },
    },
  ],
};
