import { ApiError, type Status } from '../api/error.ts'

/** A refusal that says which server it is from: a command may ask several. */
export class ServerRefusal extends ApiError {
  readonly origin: string

  constructor(status: Status, origin: string) {
    super(status)
    this.origin = origin
  }
}
