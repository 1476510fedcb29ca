/** Text that is not the JSON or YAML it should be. The error message is meant for the sender. */
export class JsonSyntaxError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonSyntaxError'
  }
}

/** More than a client may send, whatever it says. */
export class TooMuchError extends JsonSyntaxError {}
