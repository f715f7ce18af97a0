//! Parses the subset of C that the headers use (structs and constants) and runs the
//! compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The headers, without `pentad.h`, which only includes the others.
pub(crate) const HEADERS: [&str; 10] = [
    "base.h",
    "entry.h",
    "layout.h",
    "messages.h",
    "move_text.h",
    "reasons.h",
    "rules.h",
    "search.h",
    "symmetry.h",
    "threats.h",
];

/// A struct of the headers.
#[derive(Debug)]
pub(crate) struct Struct {
    /// `pentad_str` for `pentad_str_t`.
    pub(crate) name: String,
    pub(crate) members: Vec<Member>,
}

/// A member of a struct.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// The type in Rust syntax: `*const u8`, `[f64; 8]`,
    /// `Option<unsafe extern "C" fn(u32) -> i32>`. Names of structs stay as in C.
    pub(crate) rust_type: String,
}

/// Returns a header's text without comments.
pub(crate) fn header(name: &str) -> String {
    let path = include_dir().join("pentad").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut code = String::new();
    let mut rest = text.as_str();
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        code.push(' ');
        rest = comment.split_once("*/").expect("every comment ends").1;
    }
    code + rest
}

/// Returns all structs of a header. Panics on anything else.
pub(crate) fn structs(code: &str) -> Vec<Struct> {
    let mut structs = Vec::new();
    for chunk in code.split("typedef struct ").skip(1) {
        let (name, rest) = chunk.split_once('{').expect("a struct has a body");
        let (body, rest) = rest.split_once('}').expect("a struct's body ends");
        let name = name.trim();
        assert!(rest.trim_start().starts_with(&format!("{name}_t;")), "{name} is named {name}_t");
        let members = body.split(';').map(str::trim).filter(|member| !member.is_empty()).flat_map(members).collect();
        structs.push(Struct { name: name.to_owned(), members });
    }
    structs
}

/// Returns the names and values of all constants of a header. Include guards have no
/// value and are left out.
pub(crate) fn constants(code: &str) -> Vec<(String, String)> {
    let definition = |line: &str| {
        let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    code.lines().filter_map(definition).collect()
}

/// Runs the C or C++ compiler on a source.
pub(crate) fn compile(compiler: &str, language: &str, standard: &str, source: &str, extra: &[&str]) -> Output {
    use std::io::Write as _;
    let mut child = Command::new(compiler)
        .args(["-x", language, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(include_dir())
        .args(extra)
        .arg("-")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("this test needs a compiler; `{compiler}`: {error}"));
    child.stdin.take().expect("it is piped").write_all(source.as_bytes()).expect("the compiler reads its input");
    child.wait_with_output().expect("the compiler ends")
}

/// Returns `$CC`, or `cc`.
pub(crate) fn c_compiler() -> String {
    std::env::var("CC").unwrap_or_else(|_| "cc".to_owned())
}

/// Returns `$CXX`, or `c++`; `None` on a machine that has only a C compiler.
pub(crate) fn cpp_compiler() -> Option<String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    Command::new(&compiler).arg("--version").output().is_ok().then_some(compiler)
}

fn include_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// Returns the members of one declaration: `double x, y` declares two.
fn members(declaration: &str) -> Vec<Member> {
    if let Some((result, rest)) = declaration.split_once("(*") {
        let (name, parameters) = rest.split_once(')').expect("a function pointer has a name");
        let parameters = parameters.trim().trim_start_matches('(').trim_end_matches(')');
        let types: Vec<String> =
            parameters.split(',').map(str::trim).filter(|p| *p != "void").map(|p| declared(p).1).collect();
        let result = match result.trim() {
            "void" => String::new(),
            result => format!(" -> {}", rust_type(result)),
        };
        let rust_type = format!("Option<unsafe extern \"C\" fn({}){result}>", types.join(", "));
        return vec![Member { name: name.to_owned(), rust_type }];
    }
    let mut names = declaration.split(',').map(str::trim);
    let (first, rust_type) = declared(names.next().expect("splitting gives at least one"));
    let others = names.map(|name| Member { name: name.to_owned(), rust_type: rust_type.clone() });
    [Member { name: first, rust_type: rust_type.clone() }].into_iter().chain(others.collect::<Vec<_>>()).collect()
}

/// Returns name and type of `const uint8_t *position` or `char field[64]`.
fn declared(declaration: &str) -> (String, String) {
    let (declaration, len) = match declaration.split_once('[') {
        Some((declaration, len)) => (declaration, Some(len.trim_end_matches(']'))),
        None => (declaration, None),
    };
    let at = declaration.rfind([' ', '*']).expect("a declaration has a type and a name") + 1;
    let element = rust_type(declaration[..at].trim());
    let rust_type = match len {
        Some("PENTAD_SEATS_MAX") => format!("[{element}; 8]"),
        // Text in a buffer is bytes to Rust.
        Some(len) => format!("[{}; {len}]", element.replace("c_char", "u8")),
        None => element,
    };
    (declaration[at..].to_owned(), rust_type)
}

fn rust_type(c: &str) -> String {
    if let Some(pointee) = c.strip_suffix('*') {
        let pointee = pointee.trim();
        return match pointee.strip_prefix("const ") {
            Some(pointee) => format!("*const {}", rust_type(pointee)),
            None => format!("*mut {}", rust_type(pointee)),
        };
    }
    match c {
        "char" => "c_char",
        "void" => "c_void",
        "double" => "f64",
        "int32_t" => "i32",
        "int64_t" => "i64",
        "uint8_t" => "u8",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        name if name.starts_with("pentad_") && name.ends_with("_t") => name,
        other => panic!("the ABI has no type `{other}`"),
    }
    .to_owned()
}
