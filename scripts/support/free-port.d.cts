/** A port that is free on loopback, outside the kernel's range of outgoing ports. */
export function freePort(): Promise<number>;

/** Whether this port can be bound on loopback now. */
export function canBind(port: number): Promise<boolean>;
