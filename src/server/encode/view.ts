import { badRequest } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { Exchange } from '../exchange.ts'
import { type MediaType, negotiateView, negotiateWatch } from '../request/negotiate.ts'
import type { IncludeObject, TableForm } from './table.ts'

/** The form in which the caller wants objects. */
export interface View {
  readonly media: MediaType
  readonly table: TableForm
}

export function viewOf(exchange: Exchange, kind: Kind): View {
  return viewAs(negotiateView(exchange, kind), exchange)
}

/** The same for watch events. */
export function watchViewOf(exchange: Exchange, kind: Kind, isLikeList: boolean): View {
  return viewAs(negotiateWatch(exchange, kind, isLikeList), exchange)
}

function viewAs(media: MediaType, exchange: Exchange): View {
  const includeObject = media.as === 'Table' ? includeObjectOf(exchange.info.query.get('includeObject')) : 'Metadata'
  return { media, table: { version: media.version, includeObject, nowMs: exchange.received.atMs } }
}

function includeObjectOf(value: string | undefined): IncludeObject {
  switch (value) {
    case undefined:
    case '':
      return 'Metadata'
    case 'Metadata':
    case 'Object':
    case 'None':
      return value
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
      )
  }
}
