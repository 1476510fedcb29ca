import { badRequest, tooManyRequests } from '../../api/error.ts'
import { isRotationPart, type RotationResult, rotationParts, rotationPath } from '../../api/rotation.ts'
import type { Random } from '../../base/random.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { RotationOrder } from './rotation-order.ts'

const headers = ['Cache-Control', 'no-store', 'Content-Type', 'application/json']
const retryAfterSeconds = 10

export interface RotationSteps {
  readonly rotate: (order: RotationOrder) => Promise<RotationResult>
  readonly random: Random
}

/** For callers who may do everything: only their role includes the path. */
export function rotationRoute({ rotate, random }: RotationSteps): ExtraRoute {
  let isRotating = false
  return ({ info, onward }) => {
    if (onward !== undefined || info.form !== 'path' || info.path !== rotationPath || info.verb !== 'post')
      return undefined
    return async (exchange) => {
      if (isRotating) throw tooManyRequests('certificates and keys are being replaced already', retryAfterSeconds)
      const order = orderOf(exchange, random)
      isRotating = true
      try {
        const text = JSON.stringify(await rotate(order))
        return { status: 200, headers, body: Buffer.from(text) }
      } finally {
        isRotating = false
      }
    }
  }
}

function orderOf({ request }: Exchange, random: Random): RotationOrder {
  const query = new URL(request.url, 'https://server').searchParams
  const asked = query.getAll('part')
  const parts = asked.filter(isRotationPart)
  const unknown = asked.find((part) => !isRotationPart(part))
  if (unknown !== undefined)
    throw badRequest(`unknown part ${JSON.stringify(unknown)}: use ${rotationParts.join(', ')}`)
  const seconds = query.get('overlapSeconds')
  if (seconds !== null && !/^\d{1,10}$/.test(seconds)) throw badRequest('overlapSeconds must be a number of seconds')
  return {
    id: random.uuid(),
    parts: parts.length === 0 ? rotationParts : parts,
    ...(seconds !== null && { overlapMs: Number(seconds) * 1000 }),
  }
}
