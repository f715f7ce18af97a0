//! Which files are loaded, which are refused, and the messages of refusals.

use std::fs;
use std::path::Path;

use pentad_host::{AllowList, CallError, LoadError, LoadOptions, Loaded, Ruleset, bundled_dir, load_bundled, load_dir};
use pentad_model::FaultKind;
use pentad_test_plugins::{build, build_all, file, scratch_dir, truncated};

fn refused(path: &Path) -> String {
    match Ruleset::load(path, None) {
        Ok(ruleset) => panic!("loaded: {:?}", ruleset.info()),
        Err(error) => {
            assert_eq!(error.path(), path, "{error}");
            error.to_string()
        }
    }
}

/// Each invalid descriptor is refused with a message that says what is wrong.
#[test]
fn refuses_invalid_descriptors() {
    for (name, part) in [
        ("wrong_magic", "begins with 0x0123456789abcdef, not with the magic number"),
        ("newer_major", "built for ABI 2, this host supports 1"),
        ("no_symbol", "no symbol `ruleset_entry`"),
        ("small_struct", "a struct_size of 24 bytes"),
        ("null_function", "`rules.play` is null"),
        ("null_optional", "`layout.pieces` is null"),
        ("null_extension", "`extension` is null"),
        ("missing_rules", "no extension `pentad.rules/1`"),
        ("bad_id", "invalid id: `../Matches` is not an id"),
        ("huge_name", "invalid name: a length of 18446744073709551615"),
        ("null_name", "invalid name: a length of 7 at the address 0x0"),
        ("utf8_name", "invalid name: not UTF-8 at byte 2"),
        ("no_variants", "`variant_count` returned 0"),
        ("many_variants", "`variant_count` returned 4294967295"),
        ("same_variants", "variant 1 is invalid: a second variant with the id `standard`"),
        ("many_seats", "variant 0 is invalid: seats: a length of 1000000; at most 8 is allowed"),
        ("null_seats", "variant 0 is invalid: seats: a length of 2 at the address 0x0"),
        ("huge_position", "variant 0 is invalid: a position_size of 4294967295 bytes"),
    ] {
        let message = refused(&build(name));
        assert!(message.contains(part), "{name}: {message}");
    }
}

/// `init` is called once per process; its failure is remembered.
#[test]
fn failed_init_is_not_retried() {
    for _ in 0..2 {
        assert!(refused(&build("init_fails")).contains("`init` failed: the opening book is missing"));
    }
}

/// A plugin built for a later minor version loads, and its unknown fields are ignored.
#[test]
fn loads_a_newer_minor_version() {
    let ruleset = Ruleset::load(&build("newer_minor"), None).unwrap();
    assert_eq!((ruleset.info().abi_major, ruleset.info().abi_minor), (1, 99));
    assert_eq!(ruleset.format(0, &ruleset.start(0).unwrap()), Ok("5 a".to_owned()));
}

/// A variant whose board or symmetries are invalid loses them; its rules remain usable.
#[test]
fn invalid_board_is_dropped() {
    let ruleset = Ruleset::load(&build("boards"), None).unwrap();
    for (variant_idx, variant) in ruleset.variants().iter().enumerate() {
        let start = ruleset.start(variant_idx).unwrap();
        match variant.id.as_str() {
            "well-behaved" | "symmetries" => {
                assert_eq!(variant.board.as_ref().unwrap().points.len(), 9);
                assert_eq!(ruleset.pieces(variant_idx, &start).unwrap().len(), 5);
            }
            _ => {
                assert_eq!(variant.board, None, "{}", variant.id);
                assert_eq!(ruleset.pieces(variant_idx, &start), Err(CallError::Unsupported));
            }
        }
        assert_eq!(variant.n_symmetries, if variant.id == "symmetries" { 1 } else { 2 });
    }
    assert_eq!(ruleset.faults(), ruleset.variants().len() as u64 - 1);
    let (_, last) = ruleset.last_fault().unwrap();
    assert_eq!((last.kind, last.call), (FaultKind::BadValue, "symmetry.count"));
}

/// A file truncated at any length is refused, never mapped: that would cause a
/// SIGBUS.
#[test]
fn refuses_a_truncated_file_at_every_length() {
    let whole = fs::read(build("well_behaved")).unwrap();
    let path = file("libcut.so", &[]);
    let near_the_ends = (0..256).chain(whole.len() - 256..whole.len());
    for len in near_the_ends.chain((256..whole.len() - 256).step_by(97)) {
        fs::write(&path, &whole[..len]).unwrap();
        let message = refused(&path);
        assert!(message.contains("not a shared library for this machine"), "{len} bytes: {message}");
    }
    assert!(refused(&truncated("well_behaved", whole.len() / 2)).contains("cut short"));
    fs::write(&path, &whole).unwrap();
    Ruleset::load(&path, None).unwrap();

    // A library as Cargo links it has more segments and sections.
    let whole = fs::read(pentad_test_plugins::panics()).unwrap();
    let path = file("libcut.so", &[]);
    for part in 0..64 {
        fs::write(&path, &whole[..whole.len() / 64 * part]).unwrap();
        assert!(refused(&path).contains("not a shared library for this machine"), "{part} of 64 parts");
    }
}

/// Files that are not shared libraries are refused.
#[test]
fn refuses_other_files() {
    // xorshift64: the bytes only have to differ each time.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |n: usize| -> Vec<u8> {
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        };
        (0..n).map(next).collect()
    };
    for len in [0, 1, 63, 64, 100, 4096, 100_000] {
        refused(&file("librandom.so", &random(len)));
        let with_header = [b"\x7fELF\x02\x01\x01".to_vec(), random(len)].concat();
        refused(&file("librandom.so", &with_header));
    }
    refused(&file("libtext.so", b"not found\n"));
    for (at, byte, part) in [
        (4, 1, "not a 64-bit ELF file"),
        (5, 2, "an ELF file of the other byte order"),
        (16, 2, "not a shared library"),
        (18, 40, "for another processor (ELF machine 40)"),
    ] {
        let mut other = fs::read(build("well_behaved")).unwrap();
        other[at] = byte;
        let message = refused(&file("libother.so", &other));
        assert!(message.contains(part), "byte {at}: {message}");
    }
    let directory = scratch_dir().join("libdirectory.so");
    fs::create_dir(&directory).unwrap();
    assert!(refused(&directory).contains("not a regular file"));
    assert!(matches!(Ruleset::load(Path::new("/nowhere/libx.so"), None), Err(LoadError::Unreadable { .. })));
}

/// With an allow-list, only listed content is loaded; the check precedes `dlopen`.
#[test]
fn allow_list_is_enforced() {
    let path = build("well_behaved");
    let sha256 = Ruleset::load(&path, None).unwrap().info().sha256.clone();
    let allow = AllowList::parse(&format!("{sha256}  whatever-name.so\n")).unwrap();
    assert_eq!(Ruleset::load(&path, Some(&allow)).unwrap().info().sha256, sha256);
    match Ruleset::load(&build("no_symbol"), Some(&allow)).unwrap_err() {
        LoadError::NotAllowed { sha256, .. } => assert!(!allow.contains(&sha256)),
        other => panic!("it was opened: {other}"),
    }
    assert!(Ruleset::load(&path, Some(&AllowList::default())).is_err());
}

/// Files that cannot be loaded are skipped and reported; the others are loaded.
#[test]
fn load_dir_skips_and_reports() {
    let dir = scratch_dir();
    for (from, to) in [
        ("tictactoe", "liba.so"),
        ("well_behaved", "libb.so"),
        ("wrong_magic", "libc.so"),
        ("tictactoe", "libd.so"),
        ("newer_minor", ".libhidden.so"),
        ("newer_minor", "libother.so.1"),
    ] {
        fs::copy(build(from), dir.join(to)).unwrap();
    }
    fs::write(dir.join("README.txt"), "rule sets live here").unwrap();
    fs::write(dir.join("libe.so"), "no library").unwrap();
    std::os::unix::fs::symlink("libb.so", dir.join("libf.so")).unwrap();

    let loaded = load_dir(&dir, None).unwrap();
    let games: Vec<&str> = loaded.rulesets.iter().map(|ruleset| ruleset.info().id.as_str()).collect();
    assert_eq!(games, ["tictactoe", "well-behaved"]);
    let [c, d, e, f] = &loaded.refused[..] else { panic!("{:?}", loaded.refused) };
    assert!(matches!(c.error, LoadError::Magic { .. }), "{}", c.error);
    assert!(matches!(&d.error, LoadError::DuplicateFile { first, .. } if *first == dir.join("liba.so")), "{}", d.error);
    assert!(matches!(e.error, LoadError::NotALibrary { .. }), "{}", e.error);
    assert!(matches!(f.error, LoadError::DuplicateFile { .. }), "{}", f.error);
    assert_eq!(f.path, dir.join("libf.so"));
    assert!(matches!(load_dir(&dir.join("none"), None), Err(LoadError::Unreadable { .. })));
}

/// If two directories have the same game, that of the first is loaded.
#[test]
fn earlier_directory_has_precedence() {
    let (first, second) = (scratch_dir(), scratch_dir());
    fs::copy(build("well_behaved"), first.join("libz.so")).unwrap();
    let mut other = fs::read(build("well_behaved")).unwrap();
    other.push(0);
    fs::write(second.join("liba.so"), other).unwrap();
    fs::copy(build("tictactoe"), second.join("libb.so")).unwrap();
    let mut loaded = Loaded::default();
    loaded.add_dir(&first, LoadOptions::default()).unwrap();
    loaded.add_dir(&second, LoadOptions::default()).unwrap();
    let paths: Vec<_> = loaded.rulesets.iter().map(|ruleset| ruleset.info().path.clone()).collect();
    assert_eq!(paths, [first.join("libz.so"), second.join("libb.so")]);
    let [refused] = &loaded.refused[..] else { panic!("{:?}", loaded.refused) };
    assert_eq!(refused.path, second.join("liba.so"));
    assert!(refused.error.to_string().contains("the game `well-behaved` is already loaded from"), "{}", refused.error);
}

/// If two files have the same game, the first by name is loaded.
#[test]
fn a_game_is_loaded_once() {
    let dir = scratch_dir();
    fs::copy(build("well_behaved"), dir.join("liba.so")).unwrap();
    let mut other = fs::read(build("well_behaved")).unwrap();
    // A byte after the sections: the file differs, the game does not.
    other.push(0);
    fs::write(dir.join("libb.so"), other).unwrap();
    let loaded = load_dir(&dir, None).unwrap();
    assert_eq!(loaded.rulesets.len(), 1);
    let [refused] = &loaded.refused[..] else { panic!("{:?}", loaded.refused) };
    assert!(matches!(&refused.error, LoadError::DuplicateGame { id, .. } if id == "well-behaved"), "{}", refused.error);
}

/// All test plugins in one directory: the misbehaving ones do not affect the
/// others.
#[test]
fn misbehaving_plugins_do_not_affect_others() {
    let loaded = load_dir(&build_all(), None).unwrap();
    let tictactoe = loaded.rulesets.iter().find(|ruleset| ruleset.info().id == "tictactoe").unwrap();
    assert_eq!(tictactoe.count_moves(0, &tictactoe.start(0).unwrap(), ""), Ok(9));
    assert_eq!(loaded.rulesets.len() + loaded.refused.len(), pentad_test_plugins::misbehaving().len() + 1);
}

/// New content under the same path, renamed into place or copied over the old file,
/// is loaded as a new library beside the old one, which stays usable.
#[test]
fn replaced_file_is_loaded_again() {
    let dir = scratch_dir();
    let path = dir.join("libgame.so");
    fs::copy(build("well_behaved"), &path).unwrap();
    let old = Ruleset::load(&path, None).unwrap();
    for name in ["tictactoe", "newer_minor", "tictactoe"] {
        fs::copy(build(name), dir.join("new")).unwrap();
        fs::rename(dir.join("new"), &path).unwrap();
        let new = Ruleset::load(&path, None).unwrap();
        assert_eq!(new.info().id, name.replace('_', "-"));
        assert_eq!(new.info().path, path);
        new.start(0).unwrap();
        // Truncates the file and writes to the same inode.
        fs::copy(build("newer_minor"), &path).unwrap();
        new.format(0, &new.start(0).unwrap()).unwrap();
        assert_eq!(Ruleset::load(&path, None).unwrap().info().id, "newer-minor");
    }
    fs::write(&path, "").unwrap();
    assert_eq!(old.format(0, &old.start(0).unwrap()), Ok("5 a".to_owned()), "the old library stays usable");
    assert!(refused(&path).contains("not a shared library"));
}

/// A file whose library cannot be linked is named by its own path, not by that of
/// the copy that was mapped.
#[test]
fn linking_errors_name_the_file() {
    let message = refused(&build("unresolved"));
    assert!(message.contains("libunresolved.so: cannot be loaded: "), "{message}");
    assert!(message.contains("no_such_function"), "{message}");
    assert!(!message.contains("/proc/self") && !message.contains("memfd"), "{message}");
}

/// The same file loaded twice is the same library: they share positions.
#[test]
fn the_same_file_is_opened_once() {
    let first = Ruleset::load(&build("well_behaved"), None).unwrap();
    let second = Ruleset::load(&build("well_behaved"), None).unwrap();
    assert_eq!(second.format(0, &first.start(0).unwrap()), Ok("5 a".to_owned()));
}

/// A test program finds the bundled rule sets in Cargo's directory, without the
/// test plugins beside them.
#[test]
fn bundled_rule_sets_exclude_test_plugins() {
    let dir = bundled_dir().unwrap();
    assert!(dir.ends_with("deps"), "{}", dir.display());
    assert!(pentad_test_plugins::panics().starts_with(&dir));
    let loaded = load_bundled(None).unwrap();
    assert!(loaded.rulesets.iter().all(|ruleset| ruleset.info().id != "panics"));
}
