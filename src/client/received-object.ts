import { apiVersionOf, type KubeObject } from '../api/object.ts'
import { isJsonObject } from '../base/json/member.ts'
import { ConnectionError } from './connection/connection-error.ts'
import type { ResourceType } from './contract.ts'

/** An object as received. Items of lists omit what the list states for all of them. */
export function receivedObject(value: unknown, type: ResourceType): KubeObject {
  if (isJsonObject(value)) {
    if (isObject(value)) return value
    const object = { ...value, apiVersion: value.apiVersion ?? apiVersionOf(type), kind: value.kind ?? type.kind }
    if (isObject(object)) return object
  }
  throw new ConnectionError(`the server answered with something that is no ${type.kind}`)
}

function isObject(value: Readonly<Record<string, unknown>>): value is KubeObject {
  const { apiVersion, kind, metadata } = value
  return typeof apiVersion === 'string' && typeof kind === 'string' && isJsonObject(metadata)
}
