import type { Command } from 'commander'
import type { Terminal } from './terminal/terminal.ts'

/** A command that is loaded only when needed. The entry holds what the list of commands shows. */
export interface CommandEntry {
  readonly name: string
  readonly alias?: string
  readonly description: string
  load(terminal: Terminal, programFor: ProgramFor): Promise<Command>
}

/** The whole program, with the named command loaded. */
export type ProgramFor = (word: string | undefined) => Promise<Command>
