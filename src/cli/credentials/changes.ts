import type { KnownPlatform, StoredLogins } from './contract.ts'

/** Adds the platform and makes it the current one. */
export function withPlatform(credentials: StoredLogins, platform: KnownPlatform): StoredLogins {
  const others = credentials.platforms.filter(({ name }) => name !== platform.name)
  return { current: platform.name, platforms: [...others, platform] }
}

/** Removes the platform. If it was current, the only other one becomes current; among several the user must choose. */
export function withoutPlatform({ current, platforms }: StoredLogins, gone: string): StoredLogins {
  const others = platforms.filter(({ name }) => name !== gone)
  const [next] = others.length === 1 ? others : []
  return { current: current === gone ? next?.name : current, platforms: others }
}

export function withAccessKey(credentials: StoredLogins, platform: string, accessKey: string): StoredLogins {
  const platforms = credentials.platforms.map((known) => (known.name === platform ? { ...known, accessKey } : known))
  return { ...credentials, platforms }
}

export function withProject(credentials: StoredLogins, platform: string, project: string): StoredLogins {
  const platforms = credentials.platforms.map((known) => (known.name === platform ? { ...known, project } : known))
  return { ...credentials, platforms }
}

export function findPlatform({ platforms }: StoredLogins, wanted: string): KnownPlatform | undefined {
  return platforms.find(({ name }) => name === wanted)
}
