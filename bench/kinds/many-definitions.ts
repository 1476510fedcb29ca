import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Subject } from '../contract.ts'
import type { Limit } from '../controllers/limits.ts'
import { untilTrue, withApi } from '../controllers/scenarios.ts'
import { launchEngine } from '../controllers/subjects.ts'
import { usageOf } from '../servers/usage.ts'
import { median } from '../statistics.ts'
import { generatedDefinition } from './definitions.ts'

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const megabyte = 1024 * 1024
const restMs = 8_000

interface Started {
  readonly startMs: number
  readonly megabytes: number
}

/** Only ours: what definitions add to a server that starts with them. */
export async function measureDefinitions(directory: string, count: number, rounds: number): Promise<readonly Limit[]> {
  const homes = { without: mkdtempSync(join(directory, 'none-')), with: mkdtempSync(join(directory, 'defined-')) }
  await used(directory, homes.without, async () => {})
  let definedMegabytes = 0
  let sentBytes = 0
  const definedMs = await used(directory, homes.with, async (subject) => {
    const startedAt = performance.now()
    sentBytes = await define(subject, count)
    const tookMs = performance.now() - startedAt
    await delay(restMs)
    definedMegabytes = residentOf(subject)
    return tookMs
  })
  const starts: { readonly without: Started; readonly with: Started }[] = []
  for (let round = 0; round < rounds; round++) {
    starts.push({ without: await started(directory, homes.without), with: await started(directory, homes.with) })
  }
  const added = (read: (start: Started) => number) => median(starts.map((each) => read(each.with) - read(each.without)))
  const base = median(starts.map(({ without }) => without.megabytes))
  const what = `${count} definitions of ${Math.round(sentBytes / count / 1_000)} KB`
  return [
    { what: `${what}, memory that they add`, value: added(({ megabytes }) => megabytes), unit: 'MB', most: 150 },
    { what: `${what}, time that they add to a start`, value: added(({ startMs }) => startMs), unit: 'ms', most: 1_500 },
    { what: `${what}, memory added where they were made`, value: definedMegabytes - base, unit: 'MB' },
    { what: `${what}, time until all were established`, value: definedMs, unit: 'ms' },
    { what: 'an idle server without them, memory', value: base, unit: 'MB', most: 110 },
    { what: 'its start', value: median(starts.map(({ without }) => without.startMs)), unit: 'ms', most: 800 },
  ]
}

async function started(directory: string, home: string): Promise<Started> {
  return used(directory, home, async (subject) => {
    await delay(restMs)
    return { startMs: subject.startMs, megabytes: residentOf(subject) }
  })
}

async function used<T>(directory: string, home: string, use: (subject: Subject) => Promise<T>): Promise<T> {
  const subject = await launchEngine(directory, { home })()
  try {
    return await use(subject)
  } finally {
    await subject.stop()
  }
}

function residentOf({ processIds }: Subject): number {
  return usageOf(processIds).residentBytes / megabyte
}

/** Resolves to the number of bytes sent, when all are served. */
function define(subject: Subject, count: number): Promise<number> {
  return withApi(subject, async (api) => {
    let [next, bytes] = [0, 0]
    const post = async () => {
      while (next < count) {
        const definition = generatedDefinition(next++)
        bytes += JSON.stringify(definition).length
        await api.send('POST', path, definition)
      }
    }
    await Promise.all(Array.from({ length: 8 }, post))
    await untilTrue(async () => {
      const groups = JSON.parse(await api.send('GET', '/apis'))
      const names = groups.groups.filter(({ name }: { readonly name: string }) => name.endsWith('.example.com'))
      const lists = await Promise.all(
        names.map(async ({ name }: { readonly name: string }) => JSON.parse(await api.send('GET', `/apis/${name}/v1`))),
      )
      const served = lists.flatMap(({ resources }) =>
        resources.filter((each: { name: string }) => !each.name.includes('/')),
      )
      return served.length >= count
    }, 200)
    return bytes
  })
}
