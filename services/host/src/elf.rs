//! Checks the ELF headers that `dlopen` would trust.
//!
//! The dynamic linker maps what the program headers name without checking the file's
//! length, so a file truncated by a broken copy kills the process with SIGBUS at the
//! first missing page. Here every segment and the section header table, which linkers
//! put last, must lie inside the file.

const HEADER_SIZE: usize = 64;
const SEGMENT_SIZE: u64 = 56;
const ET_DYN: u16 = 3;
const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const DT_NULL: u64 = 0;
const DT_NEEDED: u64 = 1;
const DT_STRTAB: u64 = 5;
/// More libraries than any rule set depends on, and a longer name than any has.
const NEEDED_MAX: usize = 64;
const NEEDED_LEN_MAX: usize = 128;

/// This machine's `e_machine`, for the listed architectures.
const MACHINE: Option<u16> = if cfg!(target_arch = "x86_64") {
    Some(62)
} else if cfg!(target_arch = "aarch64") {
    Some(183)
} else if cfg!(target_arch = "riscv64") {
    Some(243)
} else {
    None
};

/// Checks that `file` is a complete shared library for this machine.
pub fn check(file: &[u8]) -> Result<(), String> {
    let Some(header) = file.get(..HEADER_SIZE) else {
        return Err(format!("{} bytes are too few for an ELF header", file.len()));
    };
    if !header.starts_with(b"\x7fELF") {
        return Err("no ELF header".to_owned());
    }
    if header[4] != 2 {
        return Err("not a 64-bit ELF file".to_owned());
    }
    if header[5] != if cfg!(target_endian = "little") { 1 } else { 2 } {
        return Err("an ELF file of the other byte order".to_owned());
    }
    if u16_at(header, 16) != ET_DYN {
        return Err("an ELF file, but not a shared library".to_owned());
    }
    let machine = u16_at(header, 18);
    if MACHINE.is_some_and(|own| own != machine) {
        return Err(format!("for another processor (ELF machine {machine})"));
    }
    check_segments(file, header)?;
    let (sections, section_size, n_sections) = (u64_at(header, 40), u16_at(header, 58), u16_at(header, 60));
    check_inside(file, sections, u64::from(section_size) * u64::from(n_sections), "the section header table")
}

fn check_segments(file: &[u8], header: &[u8]) -> Result<(), String> {
    let (table, size, n_segments) = (u64_at(header, 32), u64::from(u16_at(header, 54)), u64::from(u16_at(header, 56)));
    if size != SEGMENT_SIZE || n_segments == 0 {
        return Err("no program header table".to_owned());
    }
    check_inside(file, table, size * n_segments, "the program header table")?;
    let table = &file[table as usize..][..(size * n_segments) as usize];
    let (mut loads, mut is_dynamic) = (false, false);
    for (segment_idx, segment) in table.chunks_exact(size as usize).enumerate() {
        let kind = u32_at(segment, 0);
        if kind == PT_LOAD || kind == PT_DYNAMIC {
            check_inside(file, u64_at(segment, 8), u64_at(segment, 32), &format!("segment {segment_idx}"))?;
        }
        loads |= kind == PT_LOAD;
        is_dynamic |= kind == PT_DYNAMIC;
    }
    if loads && is_dynamic { Ok(()) } else { Err("no PT_LOAD or PT_DYNAMIC segment".to_owned()) }
}

/// Returns the names of the libraries that a checked file depends on, without those that
/// are paths: the linker finds the others in the system's directories.
pub(crate) fn needed(file: &[u8]) -> Vec<String> {
    let segments = || segments(file).unwrap_or_default().chunks_exact(SEGMENT_SIZE as usize);
    let content = |segment: &[u8]| {
        let (offset, len) = (usize::try_from(u64_at(segment, 8)).ok()?, usize::try_from(u64_at(segment, 32)).ok()?);
        file.get(offset..)?.get(..len)
    };
    let dynamic = segments().find(|segment| u32_at(segment, 0) == PT_DYNAMIC).and_then(content).unwrap_or_default();
    let entries = dynamic.chunks_exact(16).map(|entry| (u64_at(entry, 0), u64_at(entry, 8)));
    let entries: Vec<(u64, u64)> = entries.take_while(|(tag, _)| *tag != DT_NULL).collect();
    let texts = entries.iter().find(|(tag, _)| *tag == DT_STRTAB).and_then(|(_, address)| {
        segments().filter(|segment| u32_at(segment, 0) == PT_LOAD).find_map(|segment| {
            content(segment)?.get(usize::try_from(address.checked_sub(u64_at(segment, 16))?).ok()?..)
        })
    });
    let name = |offset: u64| {
        let text = texts?.get(usize::try_from(offset).ok()?..)?;
        let text = &text[..text.iter().take(NEEDED_LEN_MAX).position(|byte| *byte == 0)?];
        std::str::from_utf8(text).ok().filter(|name| !name.is_empty() && !name.contains('/')).map(str::to_owned)
    };
    let names = entries.iter().filter(|(tag, _)| *tag == DT_NEEDED).filter_map(|(_, offset)| name(*offset));
    names.take(NEEDED_MAX).collect()
}

/// Returns the program header table of a checked file.
fn segments(file: &[u8]) -> Option<&[u8]> {
    let header = file.get(..HEADER_SIZE)?;
    let (table, n_segments) = (usize::try_from(u64_at(header, 32)).ok()?, usize::from(u16_at(header, 56)));
    file.get(table..)?.get(..n_segments * SEGMENT_SIZE as usize)
}

fn check_inside(file: &[u8], offset: u64, len: u64, what: &str) -> Result<(), String> {
    match offset.checked_add(len) {
        Some(end) if end <= file.len() as u64 => Ok(()),
        _ => Err(format!("cut short: {what} lies beyond the end of the file ({} bytes)", file.len())),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_ne_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file truncated at any length is refused without a panic.
    #[test]
    #[cfg(target_os = "linux")]
    fn refuses_every_truncation() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(u16_at(&own, 16), ET_DYN, "test programs are position-independent");
        check(&own).unwrap();
        for len in (0..4096).chain((4096..own.len()).step_by(own.len() / 500)).chain([own.len() - 1]) {
            assert!(check(&own[..len]).is_err(), "{len} of {} bytes", own.len());
        }
    }

    /// A library's dependencies are named; arbitrary bytes name none and do not panic.
    #[test]
    #[cfg(target_os = "linux")]
    fn names_dependencies() {
        let library = std::fs::read(pentad_test_plugins::build("tictactoe")).unwrap();
        assert!(needed(&library).iter().any(|name| name.starts_with("libc.")), "{:?}", needed(&library));
        for at in 0..library.len().min(8192) {
            let mut damaged = library.clone();
            damaged[at] ^= 0xff;
            drop((needed(&damaged), needed(&library[..at])));
        }
    }

    /// Offsets that overflow are refused.
    #[test]
    fn refuses_overflowing_offsets() {
        let mut file = vec![0u8; 4096];
        file[..4].copy_from_slice(b"\x7fELF");
        (file[4], file[5], file[16]) = (2, 1, 3);
        file[18..20].copy_from_slice(&MACHINE.unwrap_or(0).to_ne_bytes());
        (file[54], file[56]) = (56, 2);
        file[32..40].fill(0xff);
        assert!(check(&file).unwrap_err().contains("the program header table"));
        file[32..40].copy_from_slice(&64u64.to_ne_bytes());
        (file[64], file[64 + 56]) = (1, 2);
        file[64 + 8..64 + 16].fill(0xff);
        assert!(check(&file).unwrap_err().contains("segment 0"));
    }
}
