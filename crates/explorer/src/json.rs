//! Writes JSON. The members of an object keep the order in which they are written.

use std::fmt::Write;

/// A text in JSON that is being written.
#[derive(Debug, Default)]
pub(super) struct Json(String);

/// An object that is being written.
#[derive(Debug)]
pub(super) struct Object<'j> {
    json: &'j mut Json,
    is_empty: bool,
}

impl Json {
    /// Writes one object and returns its text.
    pub(super) fn of(fill: impl FnOnce(&mut Object<'_>)) -> String {
        let mut json = Self::default();
        json.object(fill);
        json.0
    }

    pub(super) fn object(&mut self, fill: impl FnOnce(&mut Object<'_>)) {
        self.0.push('{');
        fill(&mut Object { json: self, is_empty: true });
        self.0.push('}');
    }

    pub(super) fn array<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.0.push('[');
        for (nth, item) in items.into_iter().enumerate() {
            if nth > 0 {
                self.0.push(',');
            }
            write(self, item);
        }
        self.0.push(']');
    }

    pub(super) fn null(&mut self) {
        self.0.push_str("null");
    }

    pub(super) fn number(&mut self, number: impl Into<u64>) {
        let _ = write!(self.0, "{}", number.into());
    }

    pub(super) fn text(&mut self, text: &str) {
        // Fails for no text.
        self.0.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

impl Object<'_> {
    /// Writes a name, and returns the writer for its value, which must follow.
    pub(super) fn member(&mut self, name: &str) -> &mut Json {
        if !std::mem::take(&mut self.is_empty) {
            self.json.0.push(',');
        }
        self.json.text(name);
        self.json.0.push(':');
        self.json
    }

    pub(super) fn number(&mut self, name: &str, number: impl Into<u64>) {
        self.member(name).number(number);
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.member(name).text(text);
    }

    pub(super) fn flag(&mut self, name: &str, flag: bool) {
        self.member(name).0.push_str(if flag { "true" } else { "false" });
    }

    /// Writes a number, or null if there is none.
    pub(super) fn number_or_null(&mut self, name: &str, number: Option<impl Into<u64>>) {
        match number {
            Some(number) => self.number(name, number),
            None => self.member(name).null(),
        }
    }

    /// Writes a text, or null if there is none.
    pub(super) fn text_or_null(&mut self, name: &str, text: Option<&str>) {
        match text {
            Some(text) => self.text(name, text),
            None => self.member(name).null(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn values_are_written_as_json_has_them() {
        let text = Json::of(|object| {
            object.text("a\"b", "c\\d\n\u{1}é♔");
            object.number("n", 18_446_744_073_709_551_615_u64);
            object.flag("is", true);
            object.number_or_null("none", None::<u32>);
            object.text_or_null("some", Some(""));
            object.member("list").array([1u32, 2], Json::number);
            object.member("empty").array([] as [&str; 0], Json::text);
            object.member("inner").object(|_| {});
        });
        let expected = concat!(
            r#"{"a\"b":"c\\d\n\u0001é♔","n":18446744073709551615,"is":true,"none":null,"some":"","#,
            r#""list":[1,2],"empty":[],"inner":{}}"#
        );
        assert_eq!(text, expected);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["a\"b"], "c\\d\n\u{1}é♔");
    }
}
