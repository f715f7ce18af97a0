// Seats that have finished while others play on. Positions of such games end with a field
// that gives each of them its place: `y1`, `r2y1`.

/** Returns the places of the seats that have finished, by seat. */
export function finishedSeats(position: string, seats: readonly string[]): Map<string, number> {
  const field = position.split(' ').at(-1) ?? '';
  const places = [...field.matchAll(/([A-Za-z]+)(\d+)/g)];
  const isPlaces = places.map(([text]) => text).join('') === field && places.every(([, seat]) => seats.includes(seat!));
  return new Map(isPlaces && seats.length > 2 ? places.map(([, seat, place]) => [seat!, Number(place)]) : []);
}
