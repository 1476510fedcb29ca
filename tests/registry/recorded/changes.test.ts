import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../../src/cluster/api-server/testing.ts'
import { sendJson } from '../../support/network/send-json.ts'

/** Answers of a kube-apiserver 1.32.4 to changes of existing objects. */
interface RecordedChanges {
  readonly kind: string
  readonly path: string
  readonly object: { readonly metadata: { readonly name: string } }
  readonly changes: readonly RecordedChange[]
}

interface RecordedChange {
  readonly patch: object
  readonly message: string
  /** Reason, field and message of each cause, including repetitions. */
  readonly causes: readonly (readonly string[])[]
}

interface Cause {
  readonly reason: string
  readonly field: string
  readonly message: string
}

const recorded: readonly RecordedChanges[] = JSON.parse(readFileSync(new URL('changes.json', import.meta.url), 'utf8'))

let server: RunningApiServer
let port: number

beforeAll(async () => {
  server = await startApiServer({
    controllers: 'none',
    users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }],
  })
  port = Number(new URL(server.url).port)
})

afterAll(() => server.stop())

describe.each(recorded)('changes of a $kind at $path', ({ path, object, changes }) => {
  const { name } = object.metadata

  beforeAll(async () => {
    expect(await sendJson(port, 'POST', path, object)).toMatchObject({ status: 201 })
  })

  it.each(changes)('are refused with each of their causes: $patch', async ({ patch, message, causes }) => {
    const { status, body } = await sendJson(port, 'PATCH', `${path}/${name}?dryRun=All`, patch)
    const details = body.details as { readonly causes?: readonly Cause[] }
    expect({ status, message: body.message }).toEqual({ status: 422, message })
    expect(details.causes?.map((each) => [each.reason, each.field, each.message])).toEqual(causes)
  })
})
