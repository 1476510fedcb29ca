import { protobufList, protobufObject, protobufValue, protobufWatchEvent } from '../../api/encode/protobuf.ts'
import type { Status } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { WatchEvent } from '../../registry/contract.ts'
import { type ProtobufView, protobufDocument, protobufView } from '../encode/protobuf-view.ts'
import type { ProtobufMedia } from '../request/negotiate.ts'
import { type BookmarkEvent, bookmarkMetadata, type EventEncoder, type ObjectEvent } from './event-encoder.ts'
import type { SharedFrames } from './shared-frames.ts'

/** Encodes events as protobuf frames: four bytes with the length, then the event. */
export function frameEncoder(kind: Kind, media: ProtobufMedia, frames: SharedFrames): EventEncoder {
  const view = protobufView(kind, media)
  const object = (event: ObjectEvent): Buffer =>
    frames.of(event.document, `${event.type} ${view.message}`, () =>
      frame(event.type, protobufDocument(view, event.document)),
    )
  const encode = (event: WatchEvent): readonly Buffer[] => {
    switch (event.type) {
      case 'BOOKMARK':
        return [frame('BOOKMARK', bookmark(view, event))]
      case 'ERROR':
        return [errorFrame(event.status)]
      default:
        return [object(event)]
    }
  }
  return { encode, error: errorFrame, isShared: false }
}

function errorFrame(status: Status): Buffer {
  return frame('ERROR', protobufValue(status))
}

function frame(type: string, object: Uint8Array): Buffer {
  const event = protobufWatchEvent(type, object)
  const whole = Buffer.allocUnsafe(4 + event.length)
  whole.writeUInt32BE(event.length)
  whole.set(event, 4)
  return whole
}

function bookmark(view: ProtobufView, event: BookmarkEvent): Uint8Array {
  return protobufObject(view, view.message, {
    metadata: bookmarkMetadata({ flavor: 'builtin' }, event, () => emptyList(view)),
  })
}

function emptyList({ apiVersion, listKind }: ProtobufView): Buffer {
  const { opening, closing } = protobufList({ apiVersion, kind: listKind }, {}, 0)
  return Buffer.concat([opening, closing])
}
