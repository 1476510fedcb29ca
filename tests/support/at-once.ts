/**
 * What happens at once has happened by then on any machine, however busy. What would only happen by itself (heartbeats, idle
 * ends, deadlines) takes longer.
 */
export const atOnceMs = 20_000
