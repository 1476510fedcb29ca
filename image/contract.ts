export const architectures = ['amd64', 'arm64'] as const
/** As images and Debian call it. */
export type Architecture = (typeof architectures)[number]

/** What a layer holds, by its path below the root of the image. */
export type LayerEntry = LayerFile | LayerLink | LayerFolder

export interface LayerFile {
  readonly type: 'file'
  readonly path: string
  readonly mode: number
  readonly content: Uint8Array
}

export interface LayerLink {
  readonly type: 'symlink'
  readonly path: string
  readonly target: string
}

export interface LayerFolder {
  readonly type: 'directory'
  readonly path: string
  readonly mode: number
  /** User and group alike. */
  readonly owner: number
}

/** One part of what the image holds, with who published it under which terms. */
export interface Component {
  readonly type: 'application' | 'library' | 'data'
  readonly name: string
  readonly version: string
  /** Package URL, by which scanners know it. */
  readonly purl: string
  /** An SPDX expression. */
  readonly license?: string
}

/** One layer of the image before it is packed. */
export interface Part {
  readonly entries: readonly LayerEntry[]
  readonly components: readonly Component[]
  /** Of everything in it: seconds since 1970. The same contents have the same time. */
  readonly modifiedSeconds: number
}
