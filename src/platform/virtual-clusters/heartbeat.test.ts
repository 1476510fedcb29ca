import { expect, it } from 'vitest'
import { isReportDue, reportedLink } from './heartbeat.ts'

const always = (byte: number) => ({ uuid: () => '', bytes: () => Uint8Array.of(byte, byte) })

it.each([
  [0, 149_999, false],
  [0, 150_000, true],
  [128, 224_999, false],
  [128, 230_000, true],
  [255, 299_000, false],
  [255, 300_000, true],
])(
  'of an interval of 300 s, with random byte %i of 255, after %i ms it is reported again: %s',
  (byte, afterMs, isDue) => {
    const said = reportedLink('key', 1_000, 300_000, always(byte))
    expect(isReportDue(said, 'key', 1_000 + afterMs)).toBe(isDue)
  },
)

it('is reported at once for a new link, and for another key', () => {
  expect(isReportDue(undefined, 'key', 0)).toBe(true)
  expect(isReportDue(reportedLink('key', 0, 300_000, always(0)), 'other', 1)).toBe(true)
})
