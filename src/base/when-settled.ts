/** When all that has been promised so far is done, in the same turn of the event loop. */
export function whenSettled(act: () => void): void {
  queueMicrotask(() => process.nextTick(act))
}
