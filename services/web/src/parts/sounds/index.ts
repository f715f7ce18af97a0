// Sounds without recordings: short tones and knocks made by the Web Audio API.

import type { Sound } from '../../app/sound';

const VOLUME = 0.12;

/** A tone: frequency in hertz, start and length in seconds, share of the volume. */
type Tone = [frequency: number, at: number, length: number, share: number];

const TONES: Record<Exclude<Sound, 'place' | 'turn'>, Tone[]> = {
  end: [[392, 0, 0.35, 0.8], [494, 0.12, 0.35, 0.7], [587, 0.24, 0.6, 0.7]],
  right: [[523, 0, 0.2, 0.7], [784, 0.1, 0.4, 0.7]],
  wrong: [[220, 0, 0.25, 0.9], [196, 0.12, 0.35, 0.8]],
};

class Sounds {
  private context: AudioContext | null = null;

  play(sound: Sound): void {
    const context = (this.context ??= new AudioContext());
    // Browsers start audio only after the reader has done something on the page.
    if (context.state === 'suspended') void context.resume();
    if (sound === 'place') this.knock(context, 0, 900, 0.09);
    else if (sound === 'turn') for (const [at, pitch] of [[0, 900], [0.16, 420], [0.24, 360], [0.32, 520]] as const) this.knock(context, at, pitch, at === 0 ? 0.09 : 0.06);
    else for (const tone of TONES[sound]) this.tone(context, tone);
  }

  /** A marble or a block on wood: filtered noise that fades quickly. */
  private knock(context: AudioContext, at: number, pitch: number, length: number): void {
    const start = context.currentTime + at;
    const noise = context.createBufferSource();
    const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
    noise.buffer = buffer;
    const filter = context.createBiquadFilter();
    filter.type = 'bandpass';
    filter.frequency.value = pitch;
    filter.Q.value = 1.4;
    const gain = context.createGain();
    gain.gain.value = VOLUME * 1.6;
    noise.connect(filter).connect(gain).connect(context.destination);
    noise.start(start);
  }

  private tone(context: AudioContext, [frequency, at, length, share]: Tone): void {
    const start = context.currentTime + at;
    const oscillator = context.createOscillator();
    oscillator.type = 'triangle';
    oscillator.frequency.value = frequency;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(VOLUME * share, start + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + length);
  }
}

export const sounds = new Sounds();
