/**
 * Immediate events have happened by then on any machine, however busy. Timed events (heartbeats, idle timeouts,
 * deadlines) take longer.
 */
export const atOnceMs = 20_000
