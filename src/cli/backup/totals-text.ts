import type { BackupTotals } from '../../backup/records/tally.ts'

/** `1,204 entries of 37 kinds`, including entries that are not objects. */
export function summaryOf({ entries, kinds }: BackupTotals): string {
  return `${entries.toLocaleString('en-US')} entries of ${Object.keys(kinds).length} kinds`
}

const steps = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** `12.3 MiB` */
export function sizeText(bytes: number): string {
  let [size, step] = [bytes, 0]
  while (size >= 1024 && step < steps.length - 1) [size, step] = [size / 1024, step + 1]
  return `${step === 0 ? size : size.toFixed(1)} ${steps[step]}`
}
