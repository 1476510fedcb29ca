/** Bytes that are not the message they should be. The message is meant for whoever sent them. */
export class ProtobufError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProtobufError'
  }
}
