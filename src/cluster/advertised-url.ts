import { networkInterfaces } from 'node:os'

/** Where other machines reach a server that listens there. Everywhere is nowhere in particular: then it is our first address. */
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
