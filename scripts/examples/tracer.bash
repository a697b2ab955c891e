# shellcheck shell=bash
# To be sourced: a tracer beside a benchmark, which tells it by --control where each of its parts begins and ends.
#
# SCALER_BPF     the tracer; default: scaler-bpf
# SCALER_OPTIONS more options for it, as "--report library --format json -o FILE"

# Makes the FIFOs. Whatever is started from here on has both ends of each, so that no opening waits for the other side.
tracer_connect() {
	tracer_folder=$(mktemp -d)
	mkfifo "$tracer_folder/commands" "$tracer_folder/answers"
	exec {tracer_commands}<>"$tracer_folder/commands" {tracer_answers}<>"$tracer_folder/answers"
	export tracer_commands tracer_answers
}

# Runs a tracer with these options.
tracer_run() {
	# shellcheck disable=SC2086 # they are several words
	"${SCALER_BPF:-scaler-bpf}" ${SCALER_OPTIONS:-} \
		--control "fifo:$tracer_folder/commands,$tracer_folder/answers" "$@"
}

# Starts it in the background and disabled, and returns when all its probes are set.
tracer_start() {
	tracer_connect
	tracer_run -D -1 "$@" &
	tracer_pid=$!
	tracer_tell ping
}

# Gives a command, as "enable" or "mark BEGIN warm-up", and returns when it has taken effect.
tracer_tell() {
	local answer tries=20
	printf '%s\n' "$*" >&"$tracer_commands"
	until read -r -t 1 -d '' answer <&"$tracer_answers"; do
		((--tries)) && kill -0 "${tracer_pid:-$$}" 2>/dev/null || return 1
	done
	[ "$answer" = ack ] || { echo "$answer" >&2; return 1; }
}

# Runs a command as one region, recorded from its beginning to its end.
tracer_region() {
	local name=$1 status=0
	shift
	tracer_tell "mark BEGIN $name" && tracer_tell enable || return
	"$@" || status=$?
	tracer_tell disable && tracer_tell "mark END $name" && return $status
}

# Ends the recording; the tracer prints its report. Returns its status.
tracer_stop() {
	local status=0
	printf 'stop\n' >&"$tracer_commands"
	wait "$tracer_pid" || status=$?
	rm -r "$tracer_folder"
	return $status
}
