import { protobufItem, protobufObject } from '../../api/encode/protobuf.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf } from '../../api/object.ts'
import type { Document } from '../../registry/contract.ts'
import type { ProtobufMedia } from '../request/negotiate.ts'

/** The protobuf form of a kind's objects: complete, or only their metadata. */
export interface ProtobufView {
  readonly apiVersion: string
  readonly kind: string
  readonly listKind: string
  /** The message type, which has no fields for what is not shown. */
  readonly message: string
}

export function protobufView(kind: Kind, { as, version }: ProtobufMedia): ProtobufView {
  return as === '' ? ownView(kind) : metadataView(version)
}

function ownView(kind: Kind): ProtobufView {
  const { protobufMessage: message, listKind = `${kind.kind}List` } = kind
  if (message === undefined) throw new Error(`${kind.kind} has no form in protobuf.`)
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, listKind, message }
}

function metadataView(version: string): ProtobufView {
  return {
    apiVersion: `meta.k8s.io/${version}`,
    kind: 'PartialObjectMetadata',
    listKind: 'PartialObjectMetadataList',
    message: 'k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
  }
}

export function protobufDocument(view: ProtobufView, { object }: Document): Uint8Array {
  return protobufObject(view, view.message, object)
}

export function protobufListItem({ message }: ProtobufView, { object }: Document): Uint8Array {
  return protobufItem(message, object)
}
