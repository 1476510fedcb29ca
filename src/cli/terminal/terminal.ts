/** What a command reads and writes. Data goes to stdout, messages to stderr. */
export interface Terminal {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean }
  /** Absent: there is nothing to read. */
  readonly stdin?: AsyncIterable<Uint8Array | string> & {
    readonly isTTY?: boolean
    /** Only on a terminal: input arrives immediately and is not shown. */
    setRawMode?(raw: boolean): unknown
  }
  readonly env: Readonly<Record<string, string | undefined>>
}
