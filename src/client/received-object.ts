import { apiVersionOf, type KubeObject } from '../api/object.ts'
import { isJsonObject } from '../base/json/member.ts'
import { ConnectionError } from './connection/connection-error.ts'
import type { ResourceType } from './contract.ts'
import { knownMetadata } from './received-metadata.ts'

/**
 * An object as received. Items of lists omit what the list states for all of them. Throws Unreadable for metadata that
 * no object of Kubernetes has.
 */
export function receivedObject(value: unknown, type: ResourceType): KubeObject {
  if (isJsonObject(value) && isJsonObject(value.metadata)) {
    const { apiVersion = apiVersionOf(type), kind = type.kind } = value
    if (typeof apiVersion === 'string' && typeof kind === 'string')
      return { ...value, apiVersion, kind, metadata: knownMetadata(value.metadata) }
  }
  throw new ConnectionError(`the server answered with something that is no ${type.kind}`)
}
