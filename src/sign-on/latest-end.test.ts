import { expect, it } from 'vitest'
import { latestEndOf } from './latest-end.ts'

const hours = (count: number) => count * 3_600_000
const nowMs = hours(1_000)

it.each([
  ['a provider that is asked again', { connectorData: 'x' }, {}, undefined],
  ['one that cannot be asked', {}, {}, nowMs + hours(12)],
  ['one that cannot be asked, with a shorter setting', {}, { sessionSeconds: 900 }, nowMs + 900_000],
  ['one that cannot be asked, with a longer setting', {}, { sessionSeconds: 172_800 }, nowMs + hours(48)],
  ['one that is asked again, with a setting', { connectorData: 'x' }, { sessionSeconds: 900 }, nowMs + 900_000],
  ['one that says when its session ends', { latestEndMs: nowMs + hours(3) }, {}, nowMs + hours(3)],
  ['one whose session ends later than allowed here', { latestEndMs: nowMs + hours(20) }, {}, nowMs + hours(12)],
  ['one that says so and is asked again', { connectorData: 'x', latestEndMs: nowMs + hours(3) }, {}, nowMs + hours(3)],
])('a session by %s', (_, identity, spec, end) => {
  expect(latestEndOf(identity, spec, nowMs)).toBe(end)
})
