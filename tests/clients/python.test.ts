import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { managementGroup, startPlatform } from './platform.ts'

const interpreter = '/usr/bin/python3'
const library = '/usr/lib/python3/dist-packages/kubernetes'

/** The expected result of each flow of python/flows.py. */
const expected: Readonly<Record<string, object>> = {
  crud: {
    sameUid: true,
    replaced: { step: '2' },
    conflict: {
      code: 409,
      kind: 'Status',
      reason: 'Conflict',
      message: expect.stringContaining('the object has been modified'),
    },
    deleted: 'Success',
    gone: { code: 404, kind: 'Status', reason: 'NotFound', message: 'configmaps "crud" not found' },
  },
  kinds: {
    secret: { password: btoa('open sesame') },
    clusterIP: expect.stringMatching(/^10\./),
    targetPort: 'http',
    verbs: ['get'],
    holder: 'me',
    phase: 'Active',
    nodes: [],
  },
  lists: {
    pages: [['listed-0', 'listed-1'], ['listed-2', 'listed-3'], ['listed-4']],
    odd: ['listed-1', 'listed-3'],
    one: ['listed-4'],
    left: 0,
  },
  patches: {
    strategic: { b: '2', c: '3' },
    json: { b: '4', c: '3' },
    ports: ['http', 'renamed'],
    status: 'Running',
  },
  watches: { seen: ['ADDED watched', 'MODIFIED watched', 'DELETED watched'], bounded: ['default'] },
  deletions: { order: ['dependent', 'owner'] },
  custom_objects: {
    created: { displayName: 'One' },
    replaced: { displayName: 'Two', allowedClusters: ['a'] },
    generation: 3,
    status: { phase: 'Ready' },
    listed: ['python'],
    deleted: 'Success',
    gone: { code: 404, kind: 'Status', reason: 'NotFound', message: `projects.${managementGroup} "python" not found` },
  },
  dynamic_client: {
    namespaced: [false, true],
    displayNames: ['One', 'Two'],
    phase: 'Ready',
    deleted: 'Success',
    manager: 'python',
    watched: 'dynamic',
  },
  reviews: {
    allowed: true,
    user: 'alice',
    version: '32',
    groups: expect.arrayContaining(['coordination.k8s.io', managementGroup, 'rbac.authorization.k8s.io']),
  },
  errors: {
    invalid: {
      code: 422,
      kind: 'Status',
      reason: 'Invalid',
      message: expect.stringMatching(/^ConfigMap "Not_A_Name" is invalid: /),
    },
    missing: { code: 404, kind: 'Status', reason: 'NotFound', message: 'secrets "nowhere" not found' },
    exists: { code: 409, kind: 'Status', reason: 'AlreadyExists', message: 'namespaces "default" already exists' },
  },
}

/** Why the client cannot run here; in CI that is a failure. */
function missingClient(): string | undefined {
  const missing = [interpreter, library].find((path) => !existsSync(path))
  if (missing === undefined) return undefined
  const reason = `${missing} is not installed (Debian packages python3 and python3-kubernetes)`
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

const missing = missingClient()

describe.skipIf(missing)(`the Python client${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let seen: Readonly<Record<string, unknown>> = {}
  beforeAll(async () => {
    seen = await runFlows()
  }, 240_000)

  it('runs exactly the expected flows', () => {
    expect(Object.keys(seen).sort()).toEqual(Object.keys(expected).sort())
  })

  it.each(Object.keys(expected))('%s', (flow) => {
    expect(seen[flow]).toEqual(expected[flow])
  })
})

async function runFlows(): Promise<Readonly<Record<string, unknown>>> {
  const server = await startPlatform()
  const directory = await mkdtemp(join(tmpdir(), 'tenant-python-'))
  try {
    const kubeconfig = join(directory, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig())
    const script = join(import.meta.dirname, 'python/flows.py')
    const env = { PATH: '/usr/bin:/bin', HOME: directory, PYTHONDONTWRITEBYTECODE: '1' }
    const { stdout } = await promisify(execFile)(interpreter, [script, kubeconfig], { env, timeout: 240_000 })
    return JSON.parse(stdout)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
