/** What is used of the library, which has no types of its own. */
declare module 'tar-stream' {
  export interface TarHeader {
    readonly name: string
    readonly type?: string | null
    readonly mode?: number
    readonly uid?: number
    readonly gid?: number
    readonly mtime?: Date
    readonly size?: number
    readonly linkname?: string | null
  }

  export interface Pack extends AsyncIterable<Uint8Array> {
    entry(header: TarHeader, content?: Uint8Array): void
    finalize(): void
  }

  export interface Extract extends AsyncIterable<AsyncIterable<Uint8Array> & { readonly header: TarHeader }> {
    end(archive: Uint8Array): void
  }

  export function pack(): Pack
  export function extract(): Extract
}
