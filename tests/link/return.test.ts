import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ToldLicense } from '../../src/api/told-license.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readEd25519PublicKey } from '../../src/base/keys/ed25519.ts'
import { createLicenseHolder, type LicenseHolder } from '../../src/platform/license/license-holder.ts'
import type { TestPlatform } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { testIssuer, testLicense } from '../support/license.ts'
import { type FaultyTcp, startFaultyTcp } from '../support/network/faulty-tcp.ts'
import { stopsWithTest } from './stops-with-test.ts'
import { embedded, inside, instances, type Linking, link, startLinkPlatform, tenantKey } from './support.ts'

let platform: TestPlatform
let virtual: TestServer
let network: FaultyTcp
let directory: string
let accessKey: string
let held: LicenseHolder

async function licensed(features?: readonly string[]): Promise<LicenseHolder> {
  const issuerKey = readEd25519PublicKey(testIssuer)
  return createLicenseHolder({ document: await testLicense(features), issuerKey, clock: systemClock })
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-return-'))
  const license: LicenseHolder = {
    get document() {
      return held.document
    },
    get issuer() {
      return held.issuer
    },
    check: () => held.check(),
  }
  held = await licensed()
  const audit = { file: join(directory, 'audit.log') }
  ;[platform, virtual] = await Promise.all([
    startLinkPlatform({ platform: { domain: 'platform.internal', audit, license } }),
    startTestServer(),
  ])
  network = await startFaultyTcp(Number(new URL(platform.server.url).port))
  accessKey = await tenantKey(platform, 'returning')
})
beforeEach(async () => {
  held = await licensed()
})
afterAll(async () => {
  await network.remove()
  await Promise.all([platform.stop(), virtual.stop()])
  await rm(directory, { recursive: true, force: true })
})

function linkThroughNetwork(name: string, more: Partial<Linking> = {}) {
  const url = `https://127.0.0.1:${network.port}`
  const { authority } = platform.server
  return stopsWithTest(link({ url, authority, accessKey, name, virtualApi: embedded(virtual), ...more }))
}

/** The requests for it so far, by subresource. */
async function askedFor(name: string): Promise<readonly string[]> {
  const lines = (await readFile(join(directory, 'audit.log'), 'utf8')).trim().split('\n')
  const answered = lines.map((line) => JSON.parse(line)).filter(({ code, object }) => code && object?.name === name)
  return answered.map(({ object }) => object.subresource).filter((subresource) => subresource !== undefined)
}

const timesLinked = ({ states }: ReturnType<typeof link>) => states.filter(({ state }) => state === 'linked').length

describe('a link that was lost', () => {
  it('returns without another registration', async () => {
    const linked = linkThroughNetwork('back')
    await linked.linked()
    network.drop()
    await eventually(() => expect(timesLinked(linked)).toBe(2))
    expect((await platform.ask('GET', `${inside('back')}/version`)).status).toBe(200)
    await eventually(async () => expect(await askedFor('back')).toEqual(['register', 'link', 'link']))
  })

  it('registers again if the virtual cluster was removed meanwhile', async () => {
    const linked = linkThroughNetwork('anew')
    await linked.linked()
    await network.set({ kind: 'cut' })
    await linked.waiting('ConnectionLost')
    await platform.must('DELETE', `${instances()}/anew`)
    await network.set({ kind: 'fine' })
    await eventually(() => expect(timesLinked(linked)).toBe(2))
    expect(await platform.must('GET', `${instances()}/anew`)).toMatchObject({
      status: { version: { tenant: '0.1.0' } },
    })
  })

  it('is refused if the license of the platform no longer covers it, with the reason', async () => {
    const linked = linkThroughNetwork('unlicensed')
    await linked.linked()
    held = await licensed(['sync-patches'])
    network.drop()
    expect((await linked.waiting('LicenseMissing')).problem.message).toContain('platform-link')
  })

  it('receives a changed license', async () => {
    const told: ToldLicense[] = []
    const linked = linkThroughNetwork('relicensed', { onLicense: (license) => told.push(license) })
    await linked.linked()
    const before = held.document
    held = await licensed(['platform-link'])
    network.drop()
    await eventually(() => expect(timesLinked(linked)).toBe(2))
    expect(told.at(0)).toEqual({ document: before, issuer: testIssuer })
    expect(told.at(-1)).toEqual({ document: held.document, issuer: testIssuer })
  })
})
