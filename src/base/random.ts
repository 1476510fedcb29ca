import { randomBytes, randomUUID } from 'node:crypto'

/** The only source of chance. Tests pass one of their own. */
export interface Random {
  uuid(): string
  bytes(length: number): Uint8Array
}

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => randomBytes(length),
}
