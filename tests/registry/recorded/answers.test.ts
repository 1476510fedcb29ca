import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../../src/cluster/api-server/testing.ts'
import { call } from '../../support/network/call.ts'
import { sendJson } from '../../support/network/send-json.ts'

/** What a kube-apiserver of version 1.32.4 was seen to answer. Its 500 for a client's mistake is a 400 here. */
interface Recorded {
  readonly prepare: readonly { readonly path: string; readonly object: object }[]
  readonly answers: readonly RecordedAnswer[]
}

interface RecordedAnswer {
  readonly about: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly contentType?: string
  readonly accept?: string
  readonly answer: {
    readonly status: number
    readonly message?: string
    /** Reason and field of each. */
    readonly causes?: readonly (readonly string[])[]
    /** Parts of the answer by path; null for what is absent. */
    readonly shown?: Readonly<Record<string, unknown>>
    readonly warnings?: readonly string[]
  }
}

const { prepare, answers }: Recorded = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8'))

let server: RunningApiServer
let port: number

beforeAll(async () => {
  server = await startApiServer({
    controllers: 'none',
    users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }],
  })
  port = Number(new URL(server.url).port)
  for (const { path, object } of prepare) {
    expect(await sendJson(port, 'POST', path, object)).toMatchObject({ status: 201 })
  }
})

afterAll(() => server.stop())

describe('the recorded answer to', () => {
  it.each(answers)('$about', async ({ method, path, body, contentType, accept, answer }) => {
    const headers = {
      Authorization: 'Bearer admin-token',
      ...(body && { 'Content-Type': contentType ?? 'application/json' }),
      ...(accept && { Accept: accept }),
    }
    const {
      status,
      text,
      headers: sent,
    } = await call(port, { method, path, headers, body: body && JSON.stringify(body) })
    const told = JSON.parse((await text).replaceAll(uid, '<uid>'))
    expect({
      status,
      ...(answer.message !== undefined && { message: told.message }),
      ...(answer.causes && {
        causes: told.details?.causes?.map((each: Record<string, string>) => [each.reason, each.field]),
      }),
      ...(answer.shown && {
        shown: Object.fromEntries(Object.keys(answer.shown).map((at) => [at, valueAt(told, at)])),
      }),
      ...(answer.warnings && { warnings: warningsIn(sent.warning) }),
    }).toEqual(answer)
  })
})

const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], value) ?? null
}

/** Several are joined into one header. */
function warningsIn(header: unknown): readonly string[] {
  return [...String(header).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replaceAll('\\"', '"'))
}
