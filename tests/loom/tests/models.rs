//! Runs the models.

#[test]
fn entries_of_one_position_are_whole() {
    pentad_loom::entries_of_one_position_are_whole();
}

#[test]
fn entries_of_two_positions_are_not_mixed_up() {
    pentad_loom::entries_of_two_positions_are_not_mixed_up();
}

#[test]
fn no_job_is_forgotten() {
    for (n_workers, n_jobs) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        pentad_loom::no_job_is_forgotten(n_workers, n_jobs);
    }
}

#[test]
fn the_last_reference_sees_all_costs() {
    pentad_loom::the_last_reference_sees_all_costs();
}
