//! The headers are the contract: they compile as C and C++, the Rust types match
//! them, and the lists of extensions are complete.
//!
//! Nothing can be left out: structs, members and constants are read from the
//! headers, and each must have its counterpart here; the macro that lists a Rust
//! struct's fields does not compile if one is missing.

mod c;

use std::any::type_name;
use std::collections::{BTreeMap, HashMap};
use std::mem::offset_of;
use std::process::Command;

use pentad_abi as abi;

/// Each header stands alone, and all of them together, in C11 and C++17.
#[test]
fn headers_compile_without_a_warning() {
    let mut sources: Vec<String> = c::HEADERS.iter().map(|name| format!("#include <pentad/{name}>\n")).collect();
    sources.push("#include <pentad/pentad.h>\n".to_owned());
    // Twice and in reverse order, to test guards and dependencies.
    sources.push(sources.iter().rev().chain(&sources).map(String::as_str).collect());
    for source in &sources {
        check(&c::c_compiler(), "c", "-std=c11", source);
    }
    match c::cpp_compiler() {
        Some(compiler) => sources.iter().for_each(|source| check(&compiler, "c++", "-std=c++17", source)),
        // The tests must run on a machine that has only a C compiler.
        None => {
            assert!(std::env::var_os("CI").is_none(), "a C++ compiler is needed here");
            eprintln!("no C++ compiler: the headers were compiled as C only");
        }
    }
}

fn check(compiler: &str, language: &str, standard: &str, source: &str) {
    let output = c::compile(compiler, language, standard, source, &["-fsyntax-only"]);
    assert!(output.status.success(), "{source}{}", String::from_utf8_lossy(&output.stderr));
}

/// The layout of a struct in Rust.
struct RustStruct {
    c_name: &'static str,
    rust_name: &'static str,
    size: usize,
    align: usize,
    fields: Vec<Field>,
}

#[derive(Debug, PartialEq, Eq)]
struct Field {
    name: &'static str,
    offset: usize,
    size: usize,
    rust_type: &'static str,
}

/// Lists the fields of a struct; the pattern in it fails to compile if one is missing.
macro_rules! rust_struct {
    ($c_name:literal, $type:ident { $($field:ident),+ $(,)? }) => {{
        let _exhaustive = |value: abi::$type| { let abi::$type { $($field: _),+ } = value; };
        RustStruct {
            c_name: $c_name,
            rust_name: stringify!($type),
            size: size_of::<abi::$type>(),
            align: align_of::<abi::$type>(),
            fields: vec![$({
                let (size, rust_type) = of_field(|value: &abi::$type| &value.$field);
                Field { name: stringify!($field), offset: offset_of!(abi::$type, $field), size, rust_type }
            }),+],
        }
    }};
}

fn of_field<S, F>(_: fn(&S) -> &F) -> (usize, &'static str) {
    (size_of::<F>(), type_name::<F>())
}

#[rustfmt::skip]
fn rust_structs() -> Vec<RustStruct> {
    vec![
        rust_struct!("pentad_str", Str { data, len }),
        rust_struct!("pentad_writer", Writer { ctx, write }),
        rust_struct!("pentad_error", Error { column, field_len, message_len, reserved, field, message }),
        rust_struct!("pentad_entry", Entry {
            magic, abi_major, abi_minor, struct_size, reserved, id, name, version, rules, notation, init, extension,
        }),
        rust_struct!("pentad_seat", Seat { id, name, side, reserved }),
        rust_struct!("pentad_variant", Variant { id, name, summary, seats, n_seats, position_size, plies_max, reserved }),
        rust_struct!("pentad_outcome", Outcome { over, n_seats, scores, places }),
        rust_struct!("pentad_rules", Rules {
            variant_count, variant, start, parse, format, to_move, legal_moves, count_moves, play, outcome,
        }),
        rust_struct!("pentad_evaluation", Evaluation { certainty, outcome, plies_to_end, source, depth, n_seats, scores }),
        rust_struct!("pentad_line", Line { moves, n_moves, evaluation }),
        rust_struct!("pentad_report", Report { lines, n_lines, nodes, depth, stop, evaluation }),
        rust_struct!("pentad_control", Control { ctx, should_stop, report }),
        rust_struct!("pentad_search_request", SearchRequest {
            time_ns, nodes, seed, depth, n_lines, root_moves, n_root_moves,
        }),
        rust_struct!("pentad_search", Search { create, run, destroy, evaluate }),
        rust_struct!("pentad_symmetry", Symmetry { count, inverse, apply, apply_move, apply_seat, canonical }),
        rust_struct!("pentad_point", Point { id, x, y, radius, shape, reserved, colour }),
        rust_struct!("pentad_edge", Edge { from, to }),
        rust_struct!("pentad_block", Block { id, x, y, width, height, colour, points, n_points }),
        rust_struct!("pentad_label", Label { text, x, y }),
        rust_struct!("pentad_piece", Piece { id, name, fill, stroke, label, shape, seat }),
        rust_struct!("pentad_board", Board {
            width, height, points, n_points, edges, n_edges, blocks, n_blocks, labels, n_labels, pieces, n_pieces,
        }),
        rust_struct!("pentad_placer", Placer { ctx, place }),
        rust_struct!("pentad_layout_ext", Layout { board, pieces }),
        rust_struct!("pentad_reason", Reason { code, text, points, n_points }),
        rust_struct!("pentad_explainer", Explainer { ctx, give }),
        rust_struct!("pentad_reasons", Reasons { explain }),
        rust_struct!("pentad_reason_code", ReasonCode { code, description, names_points, reserved }),
        rust_struct!("pentad_threat_kind", ThreatKind { kind, description }),
        rust_struct!("pentad_threat_kind_lister", ThreatKindLister { ctx, give }),
        rust_struct!("pentad_threat", Threat { seat, kind, key, score, winning_move, points, n_points }),
        rust_struct!("pentad_threat_lister", ThreatLister { ctx, give }),
        rust_struct!("pentad_stop_lister", StopLister { ctx, give }),
        rust_struct!("pentad_threats", Threats { kinds, turn_of, list, stops }),
        rust_struct!("pentad_code_lister", CodeLister { ctx, give }),
        rust_struct!("pentad_reason_codes", ReasonCodes { list }),
        rust_struct!("pentad_param_info", ParamInfo { name, group, kind, reserved }),
        rust_struct!("pentad_message_info", MessageInfo { id, params, n_params }),
        rust_struct!("pentad_template", Template { language, id, text }),
        rust_struct!("pentad_message_lister", MessageLister { ctx, message, text }),
        rust_struct!("pentad_messages", Messages { list }),
        rust_struct!("pentad_param", Param { name, items, n_items, number, kind, reserved }),
        rust_struct!("pentad_message", Message { id, params, n_params }),
        rust_struct!("pentad_spoken_reason", SpokenReason { message, points, n_points }),
        rust_struct!("pentad_reason_taker", ReasonTaker { ctx, give }),
        rust_struct!("pentad_spoken_reasons", SpokenReasons { explain }),
        rust_struct!("pentad_message_taker", MessageTaker { ctx, give }),
        rust_struct!("pentad_outcome_message", OutcomeMessage { outcome }),
        rust_struct!("pentad_move_text", MoveText { say }),
    ]
}

/// Returns the Rust value of every constant of the headers; texts are in quotes.
#[rustfmt::skip]
fn constants() -> BTreeMap<&'static str, String> {
    macro_rules! constants {
        ($($name:ident),+ $(,)?) => { [$((concat!("PENTAD_", stringify!($name)), value(abi::$name))),+] };
    }
    let all = constants![
        SEATS_MAX, VARIANTS_MAX, SYMMETRIES_MAX, ID_LEN_MAX, TEXT_LEN_MAX, POSITION_SIZE_MAX, POSITION_LEN_MAX,
        MOVE_LEN_MAX, LINE_LEN_MAX, POINTS_MAX, OK, MALFORMED, ILLEGAL, GAME_OVER, STOPPED, UNSUPPORTED, NO_MEMORY,
        INVALID, FAULT, MAGIC, ABI_MAJOR, ABI_MINOR, RULES_1, SEARCH_1, SYMMETRY_1, LAYOUT_1, REASONS_1,
        REASON_CODES_1, ESTIMATE, PROVEN, UNKNOWN, LOSS, DRAW, WIN, SOURCE_TERMINAL, SOURCE_BOOK, SOURCE_SOLVER, SOURCE_SEARCH, SOURCE_STATIC,
        PLIES_UNKNOWN, RUNNING, STOP_PROVEN, STOP_TIME, STOP_NODES, STOP_DEPTH, STOP_CANCELLED, STOP_TOLD, POINT_HIDDEN,
        POINT_HOLE, POINT_CELL, POINT_STOP, PIECE_DISC, PIECE_RING, PIECE_SQUARE, PIECE_SPOT, NO_SEAT,
        THREATS_1, THREATS_MAX,
        MESSAGES_1, MESSAGES_MAX, TEMPLATES_MAX, TEMPLATE_LEN_MAX, PARAMS_MAX, ITEMS_MAX, ITEM_LEN_MAX, PARAM_INTEGER,
        PARAM_DECIMAL, PARAM_SEATS, PARAM_POINTS, PARAM_MOVE, PARAM_TERMS, PARAM_TEXT, REASONS_2, OUTCOME_MESSAGE_1,
        MOVE_TEXT_1,
    ];
    all.into_iter().collect()
}

/// Numbers print alike in both languages; `Debug` puts texts in quotes, as C source does.
fn value(value: impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// Structs in the headers and in Rust have the same names, order, types, offsets and
/// sizes.
#[test]
fn structs_agree() {
    let rust_structs = rust_structs();
    let structs: Vec<c::Struct> = c::HEADERS.iter().flat_map(|name| c::structs(&c::header(name))).collect();
    assert_eq!(structs.len(), rust_structs.len(), "a struct is on one side only");

    let mut program = String::from("#include <pentad/pentad.h>\n#include <stddef.h>\n#include <stdio.h>\n");
    program.push_str("#define ALIGN(t) offsetof(struct { char c; t x; }, x)\nint main(void) {\n");
    for c::Struct { name, members } in &structs {
        program.push_str(&format!("printf(\"{name} %zu %zu\\n\", sizeof({name}_t), ALIGN({name}_t));\n"));
        for c::Member { name: member, .. } in members {
            program.push_str(&format!(
                "printf(\"{name}.{member} %zu %zu\\n\", offsetof({name}_t, {member}), sizeof((({name}_t *)0)->{member}));\n"
            ));
        }
    }
    let printed = run(&(program + "return 0;\n}\n"));
    let printed: HashMap<&str, &str> = printed.lines().filter_map(|line| line.split_once(' ')).collect();

    let rust_names: HashMap<&str, &str> =
        rust_structs.iter().map(|rust_struct| (rust_struct.rust_name, rust_struct.c_name)).collect();
    for c::Struct { name, members } in &structs {
        let rust_struct = rust_structs.iter().find(|rust_struct| rust_struct.c_name == name);
        let rust_struct = rust_struct.unwrap_or_else(|| panic!("{name} has no counterpart in Rust"));
        assert_eq!(
            printed[name.as_str()],
            format!("{} {}", rust_struct.size, rust_struct.align),
            "size and alignment of {name}"
        );
        let c_names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        let field_names: Vec<&str> = rust_struct.fields.iter().map(|field| field.name).collect();
        assert_eq!(c_names, field_names, "members of {name}, in order");
        for (member, field) in members.iter().zip(&rust_struct.fields) {
            let full_name = format!("{name}.{}", member.name);
            assert_eq!(printed[full_name.as_str()], format!("{} {}", field.offset, field.size), "{full_name}");
            let rust_type = in_c_names(field.rust_type, &rust_names);
            // Callbacks of the host are never null, so they are no `Option` in Rust.
            let is_host_callback = HOST_CALLBACKS.contains(&name.as_str());
            let c_type = match member.rust_type.strip_prefix("Option<").and_then(|inner| inner.strip_suffix('>')) {
                Some(inner) if is_host_callback => inner,
                _ => &member.rust_type,
            };
            assert_eq!(c_type, rust_type, "type of {full_name}");
        }
    }
}

/// The structs of callbacks that the host passes.
const HOST_CALLBACKS: [&str; 11] = [
    "pentad_writer",
    "pentad_control",
    "pentad_placer",
    "pentad_explainer",
    "pentad_code_lister",
    "pentad_threat_kind_lister",
    "pentad_threat_lister",
    "pentad_stop_lister",
    "pentad_message_lister",
    "pentad_reason_taker",
    "pentad_message_taker",
];

/// Returns a type's name with Rust's paths removed and the names of structs as in C.
fn in_c_names(rust_type: &str, names: &HashMap<&str, &str>) -> String {
    let mut out = String::new();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut rest = rust_type;
    while let Some(first) = rest.chars().next() {
        let len = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        if len == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let path = &rest[..len];
        let name = path.rsplit("::").next().expect("splitting gives at least one");
        match names.get(name).filter(|_| path.starts_with("pentad_abi::")) {
            Some(c_name) => out.push_str(&format!("{c_name}_t")),
            // `c_char` is an alias, which `type_name` has resolved.
            None => out.push_str(name),
        }
        rest = &rest[len..];
    }
    let c_char = type_name::<std::ffi::c_char>();
    out.replace(&format!("*const {c_char}"), "*const c_char")
}

/// Constants of the headers and of Rust are the same.
#[test]
fn constants_agree() {
    let in_rust = constants();
    let in_c: Vec<(String, String)> = c::HEADERS.iter().flat_map(|name| c::constants(&c::header(name))).collect();
    let mut program = String::from("#include <pentad/pentad.h>\n#include <stdio.h>\nint main(void) {\n");
    for (name, definition) in &in_c {
        program.push_str(&if definition.starts_with('"') {
            format!("printf(\"{name} \\\"%s\\\"\\n\", {name});\n")
        } else {
            format!("printf(\"{name} %llu\\n\", (unsigned long long){name});\n")
        });
    }
    let printed = run(&(program + "return 0;\n}\n"));
    let printed: BTreeMap<&str, String> =
        printed.lines().filter_map(|line| line.split_once(' ')).map(|(name, value)| (name, value.to_owned())).collect();
    for (name, in_c) in &printed {
        assert_eq!(Some(in_c), in_rust.get(name), "{name} in C and in Rust");
    }
    assert_eq!(printed.len(), in_rust.len(), "a constant is on one side only");
}

/// Every constant of the Rust sources is compared above, except the three without a
/// name in C.
#[test]
fn every_rust_constant_is_compared() {
    assert_eq!(abi::ERROR_FIELD_SIZE, abi::Error::empty().field.len());
    assert_eq!(abi::ERROR_MESSAGE_SIZE, abi::Error::empty().message.len());
    assert!(c::header("entry.h").contains(&format!("extern const pentad_entry_t {};", abi::ENTRY_SYMBOL)));
    let compared = constants();
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut n_found = 0;
    for file in sources.read_dir().unwrap() {
        let source = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for definition in source.lines().filter_map(|line| line.strip_prefix("pub const ")) {
            let name = definition.split(':').next().unwrap();
            if !["ERROR_FIELD_SIZE", "ERROR_MESSAGE_SIZE", "ENTRY_SYMBOL"].contains(&name) {
                assert!(compared.contains_key(format!("PENTAD_{name}").as_str()), "{name}");
                n_found += 1;
            }
        }
    }
    assert_eq!(n_found, compared.len());
}

/// `entry.h`, the README, the other headers and the Rust constants list the same
/// extensions, each with the header that declares its id and its table.
#[test]
fn lists_of_extensions_are_complete() {
    let is_id = |id: &str| id.starts_with("\"pentad.");
    let mut declared: Vec<(String, &str)> = Vec::new();
    for header in c::HEADERS {
        let ids = c::constants(&c::header(header)).into_iter().map(|(_, value)| value).filter(|value| is_id(value));
        declared.extend(ids.map(|id| (id.trim_matches('"').to_owned(), header)));
    }
    declared.sort();
    let mut in_rust: Vec<String> = constants().into_values().filter(|value| is_id(value)).collect();
    in_rust.sort();
    assert_eq!(declared.iter().map(|(id, _)| format!("{id:?}")).collect::<Vec<_>>(), in_rust, "headers and Rust");

    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let entry = std::fs::read_to_string(root.join("include/pentad/entry.h")).unwrap();
    let mut in_entry = Vec::new();
    for line in entry.lines().filter_map(|line| line.trim().strip_prefix("*   \"pentad.")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [id, table, header] = words[..] else { panic!("{line}") };
        let tables = c::structs(&c::header(header));
        assert!(tables.iter().any(|known| format!("{}_t", known.name) == table), "{table} is not in {header}");
        in_entry.push((format!("pentad.{}", id.trim_end_matches('"')), header));
    }
    in_entry.sort();
    assert_eq!(in_entry, declared, "entry.h and the headers");

    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | `pentad."));
    let mut in_readme: Vec<(String, &str)> =
        rows.map(|(header, rest)| (format!("pentad.{}", rest.split('`').next().unwrap_or_default()), header)).collect();
    in_readme.sort();
    assert_eq!(in_readme, declared, "README.md and the headers");
}

/// Compiles and runs a C program; returns its output.
fn run(source: &str) -> String {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let program =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("abi-{}-{number}", std::process::id()));
    let output = c::compile(&c::c_compiler(), "c", "-std=c11", source, &["-o", program.to_str().unwrap()]);
    assert!(output.status.success(), "{source}{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().unwrap();
    std::fs::remove_file(&program).unwrap();
    String::from_utf8(output.stdout).unwrap()
}
