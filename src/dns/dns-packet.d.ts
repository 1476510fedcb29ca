/** The part of the library in use, which has no types of its own. */
declare module 'dns-packet' {
  export const AUTHORITATIVE_ANSWER: number
  export const TRUNCATED_RESPONSE: number
  export const RECURSION_DESIRED: number
  export const RECURSION_AVAILABLE: number

  export interface PacketQuestion {
    readonly name: string
    readonly type: string
    readonly class?: string
  }

  export interface PacketRecord {
    readonly name: string
    readonly type: string
    readonly class?: string
    readonly ttl?: number
    readonly data?: unknown
    readonly udpPayloadSize?: number
    readonly flags?: number
    readonly options?: readonly unknown[]
  }

  export interface Packet {
    readonly id: number
    readonly type: 'query' | 'response'
    readonly flags: number
    readonly questions: readonly PacketQuestion[]
    readonly answers?: readonly PacketRecord[]
    readonly authorities?: readonly PacketRecord[]
    readonly additionals?: readonly PacketRecord[]
  }

  /** Throws if the bytes are not a packet. */
  export function decode(bytes: Uint8Array): Packet & { readonly opcode: string; readonly rcode: string }
  export function encode(packet: Packet): Buffer
}
