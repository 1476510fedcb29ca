import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../../src/api/builtin-kinds.ts'
import type { RunningApiServer } from '../../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../../src/cluster/api-server/testing.ts'
import { startTestServer } from '../../support/clusters/api-server.ts'
import { differences } from './differences.ts'
import { type Patience, playStory, tokens } from './play-story.ts'
import { type Answer, answers, type Story, stories } from './recording.ts'

const sideBySide = 8
const counted = stories.flatMap(({ steps }) => steps.filter(({ prep }) => !prep).map(({ id }) => id))

let server: RunningApiServer
const given = new Map<string, Answer>()

beforeAll(async () => {
  server = await startApiServer({
    serviceClusterIpRange: '10.0.0.0/16',
    users: [
      { token: tokens.admin ?? '', user: 'admin', uid: 'admin', groups: ['system:masters'] },
      { token: tokens.alice ?? '', user: 'alice', uid: 'alice', groups: ['dev'] },
    ],
  })
  await Promise.all([
    play(
      stories.filter((story) => !waitsForMinute(story)),
      { seconds: 60 },
    ),
    ...stories.filter(waitsForMinute).map(playBeforeMinute),
  ])
})

afterAll(() => server.stop())

describe('answers of a whole cluster as Kubernetes 1.32.4 gave them', () => {
  it('covers every recorded step', () => {
    expect(stories.flatMap(({ steps }) => steps.map(({ id }) => id))).toEqual([...answers.keys()])
    expect(answers.size).toBe(2048)
  })

  it.each(counted.filter((id) => !differences.has(id)))('%s', (id) => {
    expect(given.get(id)).toEqual(answers.get(id))
  })
})

describe('known differences', () => {
  it.each([...differences])('%s', (id, reason) => {
    expect(reason.length, 'a difference needs a reason').toBeGreaterThan(20)
    expect(counted, 'it must be a step that counts, of a story that is played').toContain(id)
    expect(given.get(id), 'it no longer differs: take it off the list').not.toEqual(answers.get(id))
  })
})

/** Stories are independent, except those that must run alone. */
async function play(some: readonly Story[], patience: Patience): Promise<void> {
  const isAlone = ({ steps }: Story) => steps.some(({ solo }) => solo)
  const waiting = some.filter((story) => !isAlone(story)).toSorted((a, b) => patienceOf(b) - patienceOf(a))
  const playNext = async (): Promise<void> => {
    for (let story = waiting.shift(); story !== undefined; story = waiting.shift()) await playOne(story, patience)
  }
  await Promise.all(Array.from({ length: sideBySide }, playNext))
  for (const story of some.filter(isAlone)) await playOne(story, patience)
}

/** Stories that wait take seconds in which little is done: if they started last, all others would wait. */
function patienceOf({ steps }: Story): number {
  if (steps.some(({ watch }) => watch !== undefined)) return 2
  return steps.some(({ until }) => until !== undefined) ? 1 : 0
}

async function playOne(story: Story, patience: Patience, port = Number(new URL(server.url).port)): Promise<void> {
  for (const answer of await playStory(port, story, patience)) given.set(answer.id, answer)
}

function waitsForMinute({ steps }: Story): boolean {
  return steps.some(({ within = 0 }) => within > 60)
}

/** Uses a separate server, whose minute ends three seconds after the story begins. */
async function playBeforeMinute(story: Story): Promise<void> {
  let aheadMs = 0
  const ahead = await startTestServer({ kinds: builtinKinds(), clock: { now: () => Date.now() + aheadMs } })
  aheadMs = 57_000 - (Date.now() % 60_000)
  await playOne(story, { seconds: 80 }, ahead.port)
  await ahead.stop()
}
