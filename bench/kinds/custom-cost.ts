import type { Row, Subject } from '../contract.ts'
import { untilTrue } from '../controllers/scenarios.ts'
import { type Client, clients } from '../load/clients.ts'
import type { LoadResult } from '../load/closed-loop.ts'
import type { BenchOptions } from '../options.ts'
import { atMost } from '../rounds.ts'
import { deleteLabeled } from '../scenarios/populate.ts'
import { median } from '../statistics.ts'
import { Api } from '../sync/api.ts'
import { type CustomTwin, twins } from './custom.ts'
import { type BodyAt, create, createdName, read } from './requests.ts'

const objects = 500
const warmUpMs = 1_000

interface Side {
  readonly collection: string
  readonly bodyAt: BodyAt
}

type Measure = (client: Client, side: Side) => Promise<LoadResult>

/** Only ours: the cost of a request for a custom kind, relative to a builtin kind. In turns, round by round. */
export async function measureCustom(subject: Subject, options: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const twin of twins) {
    await define(subject, twin)
    const sides = {
      builtin: { collection: twin.builtinPath, bodyAt: twin.builtinBody },
      custom: { collection: twin.customPath, bodyAt: twin.customBody },
    }
    for (const client of clients) {
      const compare = async (verb: string, measure: Measure) => {
        const rounds: { readonly builtin: number; readonly custom: number }[] = []
        for (let round = -1; round < options.rounds; round++) {
          const builtin = (await measure(client, sides.builtin)).serverCpuMicroseconds
          const custom = (await measure(client, sides.custom)).serverCpuMicroseconds
          // The first one warms up the just-in-time compiler.
          if (round >= 0) rounds.push({ builtin, custom })
        }
        rows.push(costRow(`${verb}, custom ${twin.builtin} to builtin, ${client.name}: server CPU`, rounds))
      }
      await compare('POST', async (by, side) => {
        await deleteLabeled(subject, '', side.collection)
        return create(subject, by, { ...side, count: objects })
      })
      const durationMs = Math.max(warmUpMs, options.roundMs / 2)
      const one = (index: number) => createdName((index * 7_919) % objects)
      await compare('GET', (by, { collection }) => read(subject, by, (at) => `${collection}/${one(at)}`, durationMs))
      // Each time with a different limit that is never reached: a list that was sent before might be reused.
      await compare('LIST', (by, { collection }) =>
        read(subject, by, (at) => `${collection}?limit=${1_000_000 + at}`, durationMs),
      )
    }
  }
  return rows
}

function costRow(scenario: string, rounds: readonly { readonly builtin: number; readonly custom: number }[]): Row {
  return {
    scenario,
    unit: 'µs/request',
    ours: median(rounds.map(({ custom }) => custom)),
    peer: undefined,
    ratio: median(rounds.map(({ builtin, custom }) => custom / builtin)),
    target: atMost(1.2),
  }
}

async function define(subject: Subject, { definition, customPath }: CustomTwin): Promise<void> {
  const api = new Api(subject)
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const isServed = () =>
    api.send('GET', customPath).then(
      () => true,
      () => false,
    )
  await untilTrue(isServed, 20)
  await api.close()
}
