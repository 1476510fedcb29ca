/** Runs `act` when all promises resolved so far have settled, in the same turn of the event loop. */
export function whenSettled(act: () => void): void {
  queueMicrotask(() => process.nextTick(act))
}
