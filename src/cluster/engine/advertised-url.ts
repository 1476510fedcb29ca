import { networkInterfaces } from 'node:os'

/**
 * The URL at which other machines reach a server that listens there. If it listens on all addresses, the first address
 * of the machine is used.
 */
export function advertisedUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const name = host === '0.0.0.0' || host === '::' ? firstAddress() : host
  return `https://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function firstAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const outward = all.filter(({ internal }) => !internal)
  const first = outward.find(({ family }) => family === 'IPv4') ?? outward[0]
  return first?.address ?? '127.0.0.1'
}
