import { startPart } from '../link/process.ts'
import type { Holder, HolderOptions, LinkHistory } from './contract.ts'

/** A holder in a separate process: its work must not count for the platform or the callers. */
export async function startHolderProcess(options: HolderOptions): Promise<Holder> {
  const part = await startPart<object>('../simulate/holder-part', options)
  return {
    open: async (from, to) => {
      await part.ask({ open: { from, to } })
    },
    history: () => part.ask('history') as Promise<LinkHistory>,
    stop: async () => {
      await part.ask('stop')
      part.stop()
    },
  }
}
