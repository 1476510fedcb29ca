import { type Presence, type ProtobufField, protobufFields } from '../core/protobuf-fields.ts'
import { isInlined, jsonName } from '../core/protobuf-names.ts'
import type { Schema } from '../schema.ts'

/** Says of each member of a builtin message whether an empty value of it differs from its absence. */
export function memberPresence(schema: Schema): ReadonlyMap<string, Presence> {
  const presence = new Map<string, Presence>()
  for (const name of schema.required ?? []) presence.set(name, 'always')
  const message = schema.name === undefined ? undefined : messageName(schema.name)
  if (message !== undefined) addFields(message, presence)
  return presence
}

function addFields(message: string, presence: Map<string, Presence>): void {
  for (const field of protobufFields(message) ?? []) {
    if (isInlined(message, field.name)) addFields(field.type, presence)
    else addField(message, field, presence)
  }
}

function addField(message: string, field: ProtobufField, presence: Map<string, Presence>): void {
  if (field.presence !== 'optional') presence.set(jsonName(message, field.name), field.presence)
}

/** `io.k8s.api.core.v1.Service` is the message `k8s.io.api.core.v1.Service`. */
function messageName(published: string): string {
  return published.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_')
}
