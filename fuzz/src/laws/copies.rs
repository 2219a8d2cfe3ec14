//! Law: copies of some games and copies of all others contain each game once, and are read as the same games.

use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle, Fields};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_games::pgn::lists::Form;
use pgn2fen_rows::starts::Starts;

use crate::choices::Choices;
use crate::walking::{Job, same, walk_all, whole, with_one, with_workers};

/// Checks the law. Two numbers are the offsets at which the text is cut into files. The rest is the text.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let places = [choices.number(), choices.number()];
    let text = choices.text();
    let [first, second] = places.map(|place| place % (text.len() + 1));
    let (first, second) = (first.min(second), first.max(second));
    let files = [&text[..first], &text[first..second], &text[second..]];
    // Positions of a list are copied as games, whose text is different.
    if files.iter().any(|file| Form::detect(file) == Form::Positions) {
        return;
    }
    for invert in [false, true] {
        let job = Job::Starts(Starts::copies().invert(invert));
        let sources = || files.iter().map(|file| whole(file)).collect();
        let said = with_one(|one| walk_all(&job, one, sources()));
        let cut = with_workers(1, Cuts::Likely(33), |one| walk_all(&job, one, sources()));
        same(&cut, &said, "copies with cuts");
        let games = files.iter().flat_map(|file| Games::new(file));
        let expected: Vec<Game<'_>> = games.filter(|game| is_selected(game) != invert).collect();
        let copied: Vec<Game<'_>> = Games::new(&said.output).collect();
        assert_eq!(copied.len(), expected.len(), "{}", String::from_utf8_lossy(&said.output));
        for (copied, expected) in copied.iter().zip(&expected) {
            reads_the_same(copied, expected);
        }
    }
}

/// Whether a game does not start from the initial position of its rules.
fn is_selected(game: &Game<'_>) -> bool {
    let style =
        FenStyle { ep: EpStyle::Legal, castling: CastlingStyle::Shredder, fields: Fields::Four, ..FenStyle::default() };
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -";
    game.replay().is_ok_and(|replay| match replay.position() {
        position if position.rules() == Rules::Chess => fen::to_string(position, style) != initial,
        position => !position.is_same_position(&Position::start(position.rules())),
    })
}

/// Checks that the copy is the game with only its end added, and has the same tags and moves.
fn reads_the_same(copied: &Game<'_>, game: &Game<'_>) {
    let told =
        || format!("{} became {}", String::from_utf8_lossy(game.bytes()), String::from_utf8_lossy(copied.bytes()));
    let added = copied.bytes().trim_ascii_end().strip_prefix(game.bytes().trim_ascii_end());
    let added = String::from_utf8_lossy(added.unwrap_or_else(|| panic!("{}", told()))).into_owned();
    let rest = added.trim().trim_start_matches('}').trim_start_matches(')').trim_end_matches('*');
    assert!(rest.is_empty(), "{}", told());
    let tags = |game: &Game<'_>| game.tags().iter().map(|tag| format!("{tag:?}")).collect::<Vec<_>>();
    assert_eq!(tags(copied).len(), tags(game).len(), "{}", told());
    let moves = |game: &Game<'_>| {
        let mut replay = game.replay().ok()?;
        // The end that is added to a copy closes a comment or a variation that was open.
        let moves: Vec<_> = std::iter::from_fn(|| replay.next_ply()).flatten().map(|ply| ply.played).collect();
        Some((moves, replay.outcome()))
    };
    assert_eq!(moves(copied), moves(game), "{}", told());
}
