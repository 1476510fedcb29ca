import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeProtobuf } from '../../src/api/decode/protobuf.ts'
import { messageOf } from '../../src/api/decode/protobuf-plan.ts'
import { protobufValue } from '../../src/api/encode/protobuf.ts'
import { normalForm } from '../../src/api/facts/normal-form.ts'
import { type KubeObject, parseApiVersion } from '../../src/api/object.ts'

/**
 * Whole objects from answers of a real Kubernetes 1.32.4, in JSON; parts that the recording leaves out, such as times
 * and ports, are filled in again.
 */
const recorded = readFileSync(new URL('../oracle/data/kinds/answers.jsonl', import.meta.url), 'utf8')
  .replaceAll(/"((?:renew|acquire|event|lastObserved)Time)":"<time>"/g, '"$1":"2026-01-02T03:04:05.678901Z"')
  .replaceAll('"<time>"', '"2026-01-02T03:04:05Z"')
  .replaceAll('"<nodePort>"', '30000')
  .replaceAll('"<pem>"', '"UEVN"')
  .trim()
  .split('\n')
  .map((line): unknown => JSON.parse(line).body)
  .filter(isObject)
  .filter((object) => messageFor(object) !== undefined)

function isObject(body: unknown): body is KubeObject {
  const { apiVersion, kind, metadata } = Object(body)
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata === 'object'
}

function messageFor({ apiVersion, kind }: KubeObject): string | undefined {
  const { group, version } = parseApiVersion(apiVersion)
  return messageOf(group, version, kind)
}

/** Only JSON shows the kind of a StatefulSet's claims, and absent times. */
function comparable(object: unknown): unknown {
  const text = JSON.stringify(object).replaceAll('"apiVersion":"v1","kind":"PersistentVolumeClaim",', '')
  return JSON.parse(text, (_, member) => (member === null ? undefined : member))
}

describe('a recorded answer', () => {
  it('exists for most kinds', () => {
    expect(new Set(recorded.map(({ kind }) => kind)).size).toBeGreaterThan(50)
  })

  it('has the same content in protobuf as in JSON', () => {
    for (const object of recorded) {
      const message = messageFor(object) ?? ''
      const { value } = decodeProtobuf(protobufValue(object), { kind: object.kind })
      expect(comparable(normalForm(message, value as KubeObject))).toEqual(comparable(normalForm(message, object)))
    }
  })
})
