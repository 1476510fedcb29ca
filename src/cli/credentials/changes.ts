import type { Credentials, KnownPlatform } from './contract.ts'

/** With the platform, which is the current one from now on. */
export function withPlatform(credentials: Credentials, platform: KnownPlatform): Credentials {
  const others = credentials.platforms.filter(({ name }) => name !== platform.name)
  return { current: platform.name, platforms: [...others, platform] }
}

/** Removes the platform. If it was current, the only other one becomes current; among several the user must choose. */
export function withoutPlatform({ current, platforms }: Credentials, gone: string): Credentials {
  const others = platforms.filter(({ name }) => name !== gone)
  const [next] = others.length === 1 ? others : []
  return { current: current === gone ? next?.name : current, platforms: others }
}

export function withAccessKey(credentials: Credentials, platform: string, accessKey: string): Credentials {
  const platforms = credentials.platforms.map((known) => (known.name === platform ? { ...known, accessKey } : known))
  return { ...credentials, platforms }
}

export function withProject(credentials: Credentials, platform: string, project: string): Credentials {
  const platforms = credentials.platforms.map((known) => (known.name === platform ? { ...known, project } : known))
  return { ...credentials, platforms }
}

export function findPlatform({ platforms }: Credentials, wanted: string): KnownPlatform | undefined {
  return platforms.find(({ name }) => name === wanted)
}
