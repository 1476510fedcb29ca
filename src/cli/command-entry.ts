import type { Command } from 'commander'
import type { Terminal } from './terminal/terminal.ts'

/** A command that is not loaded before it is needed: what the list of commands says about it stands here. */
export interface CommandEntry {
  readonly name: string
  readonly alias?: string
  readonly description: string
  load(terminal: Terminal, programFor: ProgramFor): Promise<Command>
}

/** The whole program, with the command of that name loaded. */
export type ProgramFor = (word: string | undefined) => Promise<Command>
