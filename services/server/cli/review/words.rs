//! The page's own words, in the languages of the games. They are those of the board page.

use pentad_model::i18n::Language;

/// Words of the page. In templates, `{}` or a name in braces stands for what is filled in.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) accuracy: &'static str,
    pub(super) incomplete: &'static str,
    pub(super) the_game: &'static str,
    /// Under the graph of two seats, with the one it is about.
    pub(super) graph: &'static str,
    /// Under the panels of more seats.
    pub(super) graphs: &'static str,
    pub(super) wins: &'static str,
    pub(super) even: &'static str,
    pub(super) start: &'static str,
    /// With the number of a turn.
    pub(super) at_turn: &'static str,
    pub(super) turning_points: &'static str,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
    pub(super) better: &'static str,
    pub(super) answered: &'static str,
    pub(super) all_moves: &'static str,
    /// Headings of the table of moves.
    pub(super) columns: [&'static str; 7],
    pub(super) final_position: &'static str,
    pub(super) to_move: &'static str,
    /// Win, draw and loss of a position.
    pub(super) results: [&'static str; 3],
    labels: [&'static str; 10],
}

/// Labels in the order of [`Words::labels`].
const LABELS: [&str; 10] = [
    "best",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
    "only_move",
    "forced",
    "missed_win",
    "slower_win",
    "lost_anyway",
];

impl Words {
    pub(super) fn of(language: Language) -> &'static Words {
        match language {
            Language::English => &ENGLISH,
            Language::Swedish => &SWEDISH,
            Language::Finnish => &FINNISH,
            Language::German => &GERMAN,
            Language::French => &FRENCH,
        }
    }

    /// Returns a label in words; labels of a newer server as they are.
    pub(super) fn label(&self, label: &str) -> String {
        match LABELS.iter().position(|it| *it == label) {
            Some(idx) => self.labels[idx].to_owned(),
            None => label.replace('_', " "),
        }
    }
}

static ENGLISH: Words = Words {
    title: "{game}: review of a game",
    accuracy: "accuracy",
    incomplete: "Not all moves were reviewed: the time was up.",
    the_game: "The game",
    graph: "Expected result of {} after each move. Dashed lines: turning points.",
    graphs: "Expected result of each player after each move. Dashed lines: turning points.",
    wins: "{} wins",
    even: "even",
    start: "Start",
    at_turn: "Move {}",
    turning_points: "Turning points and mistakes",
    before: "Before the move",
    after: "After it",
    better: "Better was {}.",
    answered: "{move} is answered by {reply}.",
    all_moves: "All moves",
    columns: ["Turn", "Move", "Label", "Loss", "Value", "Best line", "Why"],
    final_position: "The final position",
    to_move: "{} to move",
    results: ["win", "draw", "loss"],
    labels: [
        "best",
        "good",
        "inaccuracy",
        "mistake",
        "blunder",
        "only move",
        "forced",
        "missed win",
        "slower win",
        "lost anyway",
    ],
};

static SWEDISH: Words = Words {
    title: "{game}: genomgång av ett parti",
    accuracy: "träffsäkerhet",
    incomplete: "Alla drag hann inte gås igenom: tiden var slut.",
    the_game: "Partiet",
    graph: "Väntat resultat för {} efter varje drag. Streckade linjer: vändpunkter.",
    graphs: "Väntat resultat för varje spelare efter varje drag. Streckade linjer: vändpunkter.",
    wins: "{} vinner",
    even: "jämnt",
    start: "Start",
    at_turn: "Drag {}",
    turning_points: "Vändpunkter och misstag",
    before: "Före draget",
    after: "Efter draget",
    better: "Bättre var {}.",
    answered: "{move} besvaras med {reply}.",
    all_moves: "Alla drag",
    columns: ["Tur", "Drag", "Omdöme", "Förlust", "Värde", "Bästa fortsättning", "Varför"],
    final_position: "Slutställningen",
    to_move: "Vid draget: {}",
    results: ["vinst", "remi", "förlust"],
    labels: [
        "bäst",
        "bra",
        "oprecist",
        "misstag",
        "bock",
        "enda draget",
        "tvunget",
        "missad vinst",
        "långsammare vinst",
        "förlorat ändå",
    ],
};

static FINNISH: Words = Words {
    title: "{game}: katsaus peliin",
    accuracy: "tarkkuus",
    incomplete: "Kaikkia siirtoja ei ehditty käydä läpi: aika loppui.",
    the_game: "Pelin kulku",
    graph: "Odotettu tulos joka siirron jälkeen: {}. Katkoviivat: käännekohdat.",
    graphs: "Kunkin pelaajan odotettu tulos joka siirron jälkeen. Katkoviivat: käännekohdat.",
    wins: "{} voittaa",
    even: "tasan",
    start: "Alku",
    at_turn: "Siirto {}",
    turning_points: "Käännekohdat ja virheet",
    before: "Ennen siirtoa",
    after: "Siirron jälkeen",
    better: "Parempi oli {}.",
    answered: "Siirtoon {move} vastaa {reply}.",
    all_moves: "Kaikki siirrot",
    columns: ["Vuoro", "Siirto", "Arvio", "Menetys", "Arvo", "Paras jatko", "Miksi"],
    final_position: "Loppuasema",
    to_move: "Vuorossa: {}",
    results: ["voitto", "tasapeli", "tappio"],
    labels: [
        "paras",
        "hyvä",
        "epätarkka",
        "virhe",
        "paha virhe",
        "ainoa siirto",
        "pakollinen",
        "hukattu voitto",
        "hitaampi voitto",
        "hävitty joka tapauksessa",
    ],
};

static GERMAN: Words = Words {
    title: "{game}: Rückblick auf eine Partie",
    accuracy: "Genauigkeit",
    incomplete: "Nicht alle Züge wurden geprüft: Die Zeit war um.",
    the_game: "Die Partie",
    graph: "Erwartetes Ergebnis von {} nach jedem Zug. Gestrichelt: Wendepunkte.",
    graphs: "Erwartetes Ergebnis jedes Spielers nach jedem Zug. Gestrichelt: Wendepunkte.",
    wins: "{} gewinnt",
    even: "gleich",
    start: "Beginn",
    at_turn: "Zug {}",
    turning_points: "Wendepunkte und Fehler",
    before: "Vor dem Zug",
    after: "Nach dem Zug",
    better: "Besser war {}.",
    answered: "Auf {move} folgt {reply}.",
    all_moves: "Alle Züge",
    columns: ["Runde", "Zug", "Urteil", "Verlust", "Wert", "Beste Fortsetzung", "Warum"],
    final_position: "Die Endstellung",
    to_move: "Am Zug: {}",
    results: ["Gewinn", "Remis", "Verlust"],
    labels: [
        "am besten",
        "gut",
        "ungenau",
        "Fehler",
        "grober Fehler",
        "einziger Zug",
        "erzwungen",
        "Gewinn verpasst",
        "langsamerer Gewinn",
        "ohnehin verloren",
    ],
};

static FRENCH: Words = Words {
    title: "{game} : bilan d’une partie",
    accuracy: "précision",
    incomplete: "Tous les coups n’ont pas été examinés : le temps était écoulé.",
    the_game: "La partie",
    graph: "Résultat attendu de {} après chaque coup. Tirets : les tournants.",
    graphs: "Résultat attendu de chaque joueur après chaque coup. Tirets : les tournants.",
    wins: "{} gagne",
    even: "égalité",
    start: "Début",
    at_turn: "Coup {}",
    turning_points: "Tournants et erreurs",
    before: "Avant le coup",
    after: "Après le coup",
    better: "Mieux valait {}.",
    answered: "La réponse à {move} est {reply}.",
    all_moves: "Tous les coups",
    columns: ["Tour", "Coup", "Appréciation", "Perte", "Valeur", "Meilleure suite", "Pourquoi"],
    final_position: "La position finale",
    to_move: "Au trait : {}",
    results: ["gain", "nulle", "perte"],
    labels: [
        "le meilleur",
        "bon",
        "imprécision",
        "erreur",
        "gaffe",
        "seul coup",
        "forcé",
        "gain manqué",
        "gain plus lent",
        "perdu de toute façon",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Every language fills in what English fills in.
    #[test]
    fn templates_have_the_same_places() {
        for language in Language::ALL {
            let words = Words::of(language);
            let places = |template: &str, names: &[&str]| names.iter().all(|name| template.matches(name).count() == 1);
            for template in [words.graph, words.wins, words.at_turn, words.better, words.to_move] {
                assert!(places(template, &["{}"]), "{language:?}: {template}");
            }
            assert!(places(words.title, &["{game}"]) && places(words.answered, &["{move}", "{reply}"]), "{language:?}");
            assert!(words.labels.iter().chain(&words.columns).all(|text| !text.is_empty()), "{language:?}");
        }
    }

    #[test]
    fn labels_of_newer_servers_stay() {
        assert_eq!(Words::of(Language::German).label("missed_win"), "Gewinn verpasst");
        assert_eq!(Words::of(Language::German).label("brand_new"), "brand new");
    }
}
