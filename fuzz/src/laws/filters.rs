//! Law: the operators of tag filters are consistent with one another.

use pgn2fen_games::selection::{NumberRange, Plies, Share, TagFilter};

use crate::choices::Choices;

/// Tags whose values are compared in different ways.
const NAMES: [&str; 10] =
    ["WhiteElo", "Date", "Round", "White", "TimeControl", "ECO", "Result", "PlyCount", "UTCTime", "WhiteTitle"];

/// Tags whose values may be known in part, such as dates with only a year.
const PARTS: [&str; 4] = ["Date", "Round", "TimeControl", "UTCTime"];

/// Checks the law. The first byte chooses the tag. Then come two values, one on each line. The rest is a filter as a
/// user types it.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let name = choices.one_of(&NAMES);
    let [a, b, typed] = [choices.line(), choices.line(), choices.bytes()].map(String::from_utf8_lossy);
    match typed.parse::<TagFilter>() {
        Ok(filter) => {
            holds_for(&filter, None);
            holds_for(&filter, Some(&a));
        }
        Err(mistake) => assert!(!mistake.to_string().is_empty()),
    }
    let _ = (typed.parse::<Plies>().is_ok(), typed.parse::<NumberRange>().is_ok(), typed.parse::<Share>().is_ok());

    compare(name, &a, &b);
    compare(name, &b, &a);
    // If a value is less than another, the other is not less than it.
    let holds = |value: &str, sign: &str, with: &str| {
        filter(name, sign, with).is_some_and(|filter| holds_for(&filter, Some(value)))
    };
    for sign in ["<", ">"] {
        assert!(!(holds(&a, sign, &b) && holds(&b, sign, &a)), "{name}: {a:?} {sign} {b:?} and the other way round");
    }
}

/// Whether a filter holds if all its tags have this value.
fn holds_for(filter: &TagFilter, value: Option<&str>) -> bool {
    let holds = filter.try_holds(|_, condition| Ok::<_, ()>(condition.holds_for_tag(value)));
    holds == Ok(true)
}

fn filter(name: &str, sign: &str, value: &str) -> Option<TagFilter> {
    format!("{name}{sign}\"{value}\"").parse().ok()
}

/// Checks the operators for a tag's value and a filter's value.
fn compare(name: &str, value: &str, with: &str) {
    let filters = ["=", "!=", "<", "<=", ">", ">=", "~"].map(|sign| filter(name, sign, with));
    let told = format!("{name}: {value:?} against {with:?}");
    let can = |nth: usize| filters[nth].is_some();
    assert!(can(0) == can(1) && can(2) == can(3) && can(2) == can(4) && can(2) == can(5), "{told}: some are refused");
    let holds = |value| filters.each_ref().map(|filter| filter.as_ref().is_some_and(|it| holds_for(it, value)));
    if can(0) {
        assert_eq!(
            holds(None),
            [false, true, false, false, false, false, false],
            "{told}: a missing tag is unlike any"
        );
    }
    let [is, is_not, less, at_most, more, at_least, _] = holds(Some(value));
    assert!(!can(0) || is != is_not, "{told}: = and != are opposites");
    if can(2) {
        assert!(!(less && more), "{told}: < and >");
        assert!(!(less && at_least), "{told}: < and >=");
        assert!(!(more && at_most), "{told}: > and <=");
        assert!(!less || at_most, "{told}: < and not <=");
        assert!(!more || at_least, "{told}: > and not >=");
        // An unknown value has no order, and a value that is known in part may have none.
        if at_most || at_least {
            assert!(!is || (at_most && at_least), "{told}: = and not both <= and >=");
            if !PARTS.contains(&name) {
                assert!(less || at_least, "{told}: neither < nor >=");
                assert!(more || at_most, "{told}: neither > nor <=");
            }
        }
    }
}
